package io.packhorse.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A ZooKeeper server on a loopback port. Its data are kept across restarts, because HBase stores
 * the location of its meta table there.
 *
 * <p>Sessions in the data at start belong to ended processes, mostly a killed HBase. They are
 * closed before the port opens, so that HBase recovers at once and does not wait for them to
 * expire. Therefore sessions can be long enough to survive a pause of the machine.
 */
final class EmbeddedZooKeeper implements AutoCloseable {
  private static final int TICK_MS = 1_000;
  private static final int SNAPSHOTS_KEPT = 3;
  private static final int CONNECTIONS_MAX = 300;

  private final ZooKeeperServer server;
  private final NIOServerCnxnFactory connections;

  private EmbeddedZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
    this.server = server;
    this.connections = connections;
  }

  /**
   * Starts a server on a directory, which is made if missing.
   *
   * @param port loopback port, 1 to 65535
   * @param sessionMsMax longest session a client may ask for
   */
  static EmbeddedZooKeeper start(Path dir, int port, int sessionMsMax)
      throws IOException, InterruptedException {
    File files = Files.createDirectories(dir).toFile();
    if (Files.isDirectory(dir.resolve("version-2"))) {
      PurgeTxnLog.purge(files, files, SNAPSHOTS_KEPT);
    }
    ZooKeeperServer server = new ZooKeeperServer(files, files, TICK_MS);
    server.setMinSessionTimeout(2 * TICK_MS);
    server.setMaxSessionTimeout(sessionMsMax);
    NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
    connections.configure(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS_MAX);
    server.startdata();
    List<Long> orphans = List.copyOf(server.getZKDatabase().getSessions());
    server.startup();
    orphans.forEach(server::closeSession);
    connections.startup(server, false);
    return new EmbeddedZooKeeper(server, connections);
  }

  @Override
  public void close() {
    connections.shutdown();
    server.shutdown(true);
  }
}
