package io.packhorse.loader.hbase;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.jspecify.annotations.Nullable;

/** An open connection to HBase. Any number of threads; closing it ends all that came from it. */
public final class Cluster implements Closeable {
  private static final int ZOOKEEPER_CONNECT_TIMEOUT_MS = 5_000;

  static {
    // HBase looks up its codecs by itself, past any configuration it is given; files may still say.
    Configuration.addDefaultResource("packhorse-hbase.xml");
  }

  private final Connection connection;
  private final boolean knowsRoot;
  private @Nullable Connection single;

  private Cluster(Connection connection, boolean knowsRoot) {
    this.connection = connection;
    this.knowsRoot = knowsRoot;
  }

  /**
   * Connects.
   *
   * @param zookeeper quorum as {@code host:port,host:port}, or null to take it from the file
   * @param hbaseSite an hbase-site.xml, or null
   * @throws IOException if the cluster cannot be reached
   */
  public static Cluster connect(@Nullable String zookeeper, @Nullable Path hbaseSite)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    // Finite everywhere: a dead cluster must become an error within about a minute, not a hang.
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 10);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 20_000);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 60_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 60_000);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 60_000);
    // Threads that outlive their connection, waiting for the network, keep a JVM from ending for
    // 0.3 s.
    NettyRpcClientConfigHelper.createEventLoopPerClient(conf);
    conf.setInt("zookeeper.recovery.retry", 3);
    conf.setInt("hbase.client.max.total.tasks", 64);
    conf.setInt("hbase.client.max.perserver.tasks", 16);
    conf.setInt("hbase.client.max.perregion.tasks", 4);
    if (hbaseSite != null) {
      conf.addResource(new File(hbaseSite.toString()).toURI().toURL());
    }
    if (zookeeper != null) {
      conf.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
    }
    KerberosLogin.ifAsked(conf);
    requireZooKeeper(conf);
    return new Cluster(ConnectionFactory.createConnection(conf), hbaseSite != null);
  }

  /** Fails at once when nobody listens; the client alone would try for two minutes. */
  private static void requireZooKeeper(Configuration conf) throws IOException {
    String quorum = conf.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST);
    int usualPort =
        conf.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    for (String member : quorum.split(",", -1)) {
      HostAndPort address = HostAndPort.of(member.trim(), usualPort);
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(address.host(), address.port()), ZOOKEEPER_CONNECT_TIMEOUT_MS);
        return;
      } catch (IOException unreachable) {
        // The next member may answer.
      }
    }
    throw new IOException(
        "no ZooKeeper answers at " + quorum + " (usual port " + usualPort + "); check the address");
  }

  private record HostAndPort(String host, int port) {
    static HostAndPort of(String member, int usualPort) throws IOException {
      int colon = member.lastIndexOf(':');
      try {
        return colon < 0
            ? new HostAndPort(member, usualPort)
            : new HostAndPort(
                member.substring(0, colon), Integer.parseInt(member.substring(colon + 1)));
      } catch (NumberFormatException e) {
        throw new IOException("ZooKeeper address must be host:port: " + member, e);
      }
    }
  }

  /** The connection itself; closed with this object. */
  public Connection connection() {
    return connection;
  }

  /**
   * A connection that tries each call once, for callers that try again; closed with this object.
   */
  public synchronized Connection withoutRetries() throws IOException {
    Connection present = single;
    if (present == null) {
      Configuration conf = new Configuration(connection.getConfiguration());
      conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
      present = ConnectionFactory.createConnection(conf);
      single = present;
    }
    return present;
  }

  /**
   * Room on the file system below HBase.
   *
   * @param name its address
   */
  public record Room(String name, long freeBytes, long totalBytes) {}

  /**
   * Room below {@code hbase.rootdir}; empty if the connection was made without a file that says.
   */
  public Optional<Room> room() throws IOException {
    if (!knowsRoot) {
      return Optional.empty();
    }
    org.apache.hadoop.fs.Path root =
        new org.apache.hadoop.fs.Path(connection.getConfiguration().get(HConstants.HBASE_DIR, "/"));
    FsStatus status = root.getFileSystem(connection.getConfiguration()).getStatus(root);
    return Optional.of(new Room(root.toString(), status.getRemaining(), status.getCapacity()));
  }

  @Override
  public synchronized void close() throws IOException {
    Connection present = single;
    if (present != null) {
      present.close();
    }
    connection.close();
  }
}
