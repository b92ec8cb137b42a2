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
 * One ZooKeeper server on a loopback port, its log kept across restarts (HBase keeps the location
 * of its meta table there).
 *
 * <p>Sessions found in the log at start belong to processes of the past, above all to an HBase that
 * was killed in this very JVM's place. They are closed before the port opens, so that HBase need
 * not wait for them to expire: recovery after a kill starts at once, and live sessions may be long
 * enough to outlast a paused machine.
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
   * Starts a server over a directory, which is created when missing.
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
