package net.opentsdb.tsd;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import net.opentsdb.utils.Config;
import org.jboss.netty.channel.Channel;
import org.jspecify.annotations.NullMarked;

/**
 * Limits the connections of one client address to {@value #SETTING}, so that no client takes all
 * connections of the TSD. Loopback counts too; 0 is no limit. Any thread.
 */
@NullMarked
final class ClientConnections {
  static final String SETTING = "tsd.core.connections.limit_per_client";
  static final int LIMIT_DEFAULT = 1024;
  static final ClientConnections UNLIMITED = new ClientConnections(0);

  private final int limit;
  private final ConcurrentHashMap<InetAddress, Integer> open = new ConcurrentHashMap<>();

  private ClientConnections(int limit) {
    this.limit = limit;
  }

  ClientConnections(Config config) {
    this(config.hasProperty(SETTING) ? config.getInt(SETTING) : LIMIT_DEFAULT);
  }

  /** Counts a connection until it is closed; false if its client has too many. */
  boolean admit(Channel channel) {
    if (limit <= 0
        || !(channel.getRemoteAddress() instanceof InetSocketAddress remote)
        || remote.getAddress() == null) {
      return true;
    }
    InetAddress client = remote.getAddress();
    int count = open.merge(client, 1, Integer::sum);
    channel
        .getCloseFuture()
        .addListener(closed -> open.computeIfPresent(client, (address, n) -> n > 1 ? n - 1 : null));
    return count <= limit;
  }

  /** Connections counted for a client. */
  int count(InetAddress client) {
    return open.getOrDefault(client, 0);
  }
}
