package io.packhorse.loader.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A TSD with settings of the test's own over tables of a running HBase, and its tools. */
public final class TsdFixture implements AutoCloseable {
  private final ServerProcess process;
  private final URI url;

  private TsdFixture(ServerProcess process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param folder gets its configuration and log
   * @param settings all but addresses and folders
   */
  public static TsdFixture start(TsdKind kind, Path folder, String settings) throws Exception {
    int port = Ports.choose("TSD", OptionalInt.empty(), OptionalInt.empty(), Set.of());
    Path home = Files.createTempDirectory(folder, kind.id());
    Path conf = home.resolve("opentsdb.conf");
    Files.writeString(
        conf,
        settings
            + "tsd.network.bind = 127.0.0.1\n"
            + ("tsd.network.port = " + port + "\n")
            + ("tsd.http.staticroot = " + home + "\n")
            + ("tsd.http.cachedir = " + home + "\n"));
    Process process = start(kind, home.resolve("log"), "TSDMain", "--config=" + conf);
    TsdFixture tsd = new TsdFixture(ServerProcess.of(process.toHandle()), TsdServer.url(port));
    while (!tsd.answers()) {
      if (!tsd.isAlive()) {
        throw new IOException(Files.readString(home.resolve("log")));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return tsd;
  }

  /**
   * Starts a patched one whose queries may delete.
   *
   * @param hbase whose tables it serves
   * @param folder gets its configuration and log
   */
  public static TsdFixture startDeleting(EmbeddedServer hbase, Path folder) throws Exception {
    return start(
        TsdKind.PATCHED,
        folder,
        """
        tsd.mode = rw
        tsd.http.query.allow_delete = true
        tsd.storage.hbase.zk_quorum = %s
        tsd.storage.hbase.zk_basedir = /hbase
        tsd.storage.salt.width = %d
        tsd.storage.salt.buckets = %d
        """
            .formatted(
                hbase.zookeeperQuorum(), ServerOptions.SALT_WIDTH, ServerOptions.SALT_BUCKETS));
  }

  /**
   * Starts a patched one as the embedded store does, with its configuration, log and options of the
   * JVM, but the heap.
   *
   * @param hbase whose tables it serves
   * @param folder becomes a store's directory for its configuration and log
   */
  public static TsdFixture startAsShipped(EmbeddedServer hbase, Path folder, int heapMib)
      throws Exception {
    String quorum = hbase.zookeeperQuorum();
    int zookeeper = Integer.parseInt(quorum.substring(quorum.indexOf(':') + 1));
    int port = Ports.choose("TSD", OptionalInt.empty(), OptionalInt.empty(), Set.of());
    StoreDirectory store = StoreDirectory.open(folder);
    Files.createDirectories(store.log());
    JavaCommand shipped =
        TsdServer.command(
            store, Distribution.current(), TsdKind.PATCHED, zookeeper, port, OptionalInt.empty());
    List<String> options = new ArrayList<>(shipped.jvmOptions());
    options.replaceAll(option -> option.startsWith("-Xmx") ? "-Xmx" + heapMib + "m" : option);
    ServerProcess process =
        new JavaCommand(
                options,
                shipped.classPath(),
                shipped.mainClass(),
                shipped.arguments(),
                shipped.findsPrograms())
            .start(store.output(TsdKind.PATCHED.id()));
    TsdServer.await(store, TsdKind.PATCHED, process, port);
    return new TsdFixture(process, TsdServer.url(port));
  }

  /** Runs one of the patched TSD's tools over a store's tables, to its end. */
  public static void runTool(StoreDirectory store, Path folder, String tool, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("--config=" + store.tsdConfig(TsdKind.PATCHED)));
    all.addAll(List.of(arguments));
    Path log = folder.resolve(tool + ".log");
    int code = start(TsdKind.PATCHED, log, tool, all.toArray(String[]::new)).waitFor();
    if (code != 0) {
      throw new IOException("exit code " + code + ": " + Files.readString(log));
    }
  }

  private static Process start(TsdKind kind, Path log, String tool, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-cp"));
    command.add(Distribution.current().classPath(kind.libraries()));
    command.add("net.opentsdb.tools." + tool);
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    // Without a search path the stock one finds no gnuplot.
    builder.environment().put("PATH", "/nonexistent");
    return builder.start();
  }

  private boolean answers() {
    try {
      url.resolve("/api/version").toURL().openStream().close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Its address. */
  public URI url() {
    return url;
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it. */
  @Override
  public void close() throws InterruptedException {
    process.kill();
  }
}
