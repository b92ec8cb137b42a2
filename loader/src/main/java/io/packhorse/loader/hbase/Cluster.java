package io.packhorse.loader.hbase;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.jspecify.annotations.Nullable;

/** An open connection to HBase. Any number of threads; closing it closes all its connections. */
public final class Cluster implements Closeable {
  private static final int ZOOKEEPER_CONNECT_TIMEOUT_MS = 5_000;

  static {
    CodecDefaults.add();
  }

  private final Connection connection;
  private final boolean hasSite;
  private @Nullable Connection single;

  private Cluster(Connection connection, boolean hasSite) {
    this.connection = connection;
    this.hasSite = hasSite;
  }

  /**
   * Connects to a cluster.
   *
   * @param zookeeper quorum as {@code host:port,host:port}, or null to take it from the file
   * @param hbaseSite an hbase-site.xml, or null
   * @throws IOException if the cluster cannot be reached
   */
  public static Cluster connect(@Nullable String zookeeper, @Nullable Path hbaseSite)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    // Limits for everything, so that a dead cluster is an error within about a minute.
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 10);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 20_000);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 60_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 60_000);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 60_000);
    // HBase's shared network threads would delay the end of the JVM by 0.3 s.
    NettyRpcClientConfigHelper.createEventLoopPerClient(conf);
    conf.setInt("zookeeper.recovery.retry", 3);
    conf.setInt("hbase.client.max.total.tasks", 64);
    conf.setInt("hbase.client.max.perserver.tasks", 16);
    conf.setInt("hbase.client.max.perregion.tasks", 4);
    if (hbaseSite != null) {
      conf.addResource(new File(hbaseSite.toString()).toURI().toURL());
    }
    if (Bigtable.isIn(conf)) {
      return connectBigtable(conf, zookeeper);
    }
    if (zookeeper != null) {
      conf.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
    }
    KerberosLogin.ifRequired(conf);
    requireZooKeeper(conf);
    return new Cluster(ConnectionFactory.createConnection(conf), hbaseSite != null);
  }

  /**
   * Whether a configuration names Bigtable's client; nothing is connected to.
   *
   * @param hbaseSite an hbase-site.xml, or null
   */
  public static boolean isBigtable(@Nullable Path hbaseSite) throws IOException {
    if (hbaseSite == null) {
      return false;
    }
    Configuration conf = new Configuration(false);
    conf.addResource(new File(hbaseSite.toString()).toURI().toURL());
    return Bigtable.isIn(conf);
  }

  private static Cluster connectBigtable(Configuration conf, @Nullable String zookeeper)
      throws IOException {
    if (zookeeper != null) {
      throw new IOException(
          "the file of --hbase-conf names Bigtable, which has no ZooKeeper; leave out --zookeeper");
    }
    String client = conf.getTrimmed(Bigtable.CONNECTION_CLASS);
    try {
      // HBase's factory wants a constructor that the client's shaded releases do not have.
      Constructor<?> maker = Class.forName(client).getConstructor(Configuration.class);
      Connection connection = (Connection) maker.newInstance(conf);
      requireAnswer(connection);
      // The file system of an HBase that is not there has no room to speak of.
      return new Cluster(connection, false);
    } catch (ClassNotFoundException missing) {
      throw new IOException(
          "Bigtable's client is not on the class path: "
              + Bigtable.CONNECTION_CLASS
              + "="
              + client
              + "; put bigtable-hbase-2.x-hadoop-VERSION.jar into lib/bigtable of the distribution"
              + " (docs/stores.md)");
    } catch (InvocationTargetException e) {
      throw new IOException("Bigtable's client does not start", e.getCause());
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IOException(
          client + " is not a connection of Bigtable's client for HBase 2.x: " + e, e);
    }
  }

  /**
   * Makes one call, so that a Bigtable that does not answer is an IOException here. Its client
   * throws unchecked exceptions, with the reason in the innermost cause.
   */
  private static void requireAnswer(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.listTableNames();
    } catch (IOException | RuntimeException e) {
      close(connection);
      Throwable reason = e;
      while (reason.getCause() != null) {
        reason = reason.getCause();
      }
      throw new IOException(
          Bigtable.instance(connection) + " does not answer: " + reason.getMessage());
    }
  }

  /** Fails at once if no ZooKeeper listens; HBase's client would try for two minutes. */
  private static void requireZooKeeper(Configuration conf) throws IOException {
    String quorum = conf.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST);
    int defaultPort =
        conf.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    for (String member : quorum.split(",", -1)) {
      HostAndPort address = HostAndPort.of(member.trim(), defaultPort);
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(address.host(), address.port()), ZOOKEEPER_CONNECT_TIMEOUT_MS);
        return;
      } catch (IOException unreachable) {
        // Try the next member.
      }
    }
    throw new IOException(
        "no ZooKeeper answers at "
            + quorum
            + " (default port "
            + defaultPort
            + "); check the address");
  }

  private record HostAndPort(String host, int port) {
    static HostAndPort of(String member, int defaultPort) throws IOException {
      int colon = member.lastIndexOf(':');
      try {
        return colon < 0
            ? new HostAndPort(member, defaultPort)
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
   * A connection without retries, for callers that retry themselves; closed with this object. To
   * Bigtable there is only one, whose client knows itself what may be retried.
   */
  public synchronized Connection withoutRetries() throws IOException {
    if (Bigtable.is(connection)) {
      return connection;
    }
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
   * Space on the file system of HBase.
   *
   * @param name address of the file system
   */
  public record DiskSpace(String name, long freeBytes, long totalBytes) {}

  /** Space on the file system of {@code hbase.rootdir}; empty without an hbase-site.xml. */
  public Optional<DiskSpace> diskSpace() throws IOException {
    if (!hasSite) {
      return Optional.empty();
    }
    org.apache.hadoop.fs.Path root =
        new org.apache.hadoop.fs.Path(connection.getConfiguration().get(HConstants.HBASE_DIR, "/"));
    FsStatus status = root.getFileSystem(connection.getConfiguration()).getStatus(root);
    return Optional.of(new DiskSpace(root.toString(), status.getRemaining(), status.getCapacity()));
  }

  @Override
  public synchronized void close() throws IOException {
    Connection present = single;
    if (present != null) {
      close(present);
    }
    close(connection);
  }

  /**
   * HBase's client ends its network threads first, and then asks them to close the sockets. If they
   * have ended by then they refuse, but have closed the sockets already.
   */
  static void close(Connection connection) throws IOException {
    try {
      connection.close();
    } catch (RejectedExecutionException e) {
      // Everything is closed.
    }
  }
}
