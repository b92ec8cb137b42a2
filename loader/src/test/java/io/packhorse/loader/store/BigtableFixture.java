package io.packhorse.loader.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Bigtable's emulator on loopback, with nothing in it; it keeps everything in memory. Its program
 * comes from Maven Central and runs on Linux with an x86 processor of 64 bits.
 */
public final class BigtableFixture implements AutoCloseable {
  private static final String PROGRAM =
      "/gcloud/bigtable-linux-x86_64/platform/bigtable-emulator/cbtemulator";

  private final Process process;
  private final Path conf;
  private final Path tsdConf;

  private BigtableFixture(Process process, Path conf, Path tsdConf) {
    this.process = process;
    this.conf = conf;
    this.tsdConf = tsdConf;
  }

  /**
   * Starts it.
   *
   * @param folder keeps its program, and the configurations that name it
   * @return empty where its program does not run
   */
  public static Optional<BigtableFixture> start(Path folder) throws Exception {
    String os = System.getProperty("os.name", "") + " " + System.getProperty("os.arch", "");
    if (!os.equals("Linux amd64")) {
      return Optional.empty();
    }
    Path program = folder.resolve("cbtemulator");
    try (InputStream from = BigtableFixture.class.getResourceAsStream(PROGRAM)) {
      if (from == null) {
        throw new IOException("the emulator's jar has no " + PROGRAM);
      }
      Files.copy(from, program);
    }
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    int port = freePort();
    Process process =
        new ProcessBuilder(program.toString(), "-host", "127.0.0.1", "-port", String.valueOf(port))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("emulator.log").toFile())
            .start();
    await(process, port);
    return Optional.of(
        new BigtableFixture(
            process,
            conf(
                folder,
                "bigtable.xml",
                "com.google.cloud.bigtable.hbase2_x.BigtableConnection",
                port),
            Files.writeString(
                folder.resolve("opentsdb.conf"),
                """
                tsd.storage.salt.width = 1
                tsd.storage.salt.buckets = 4
                tsd.storage.enable_compaction = false
                """)));
  }

  /**
   * Writes what {@code --hbase-conf} names.
   *
   * @param client class of the connection
   */
  public static Path conf(Path folder, String name, String client, int port) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        <configuration>
          <property><name>hbase.client.connection.impl</name><value>%s</value></property>
          <property><name>google.bigtable.project.id</name><value>lab</value></property>
          <property><name>google.bigtable.instance.id</name><value>it</value></property>
          <property>
            <name>google.bigtable.emulator.endpoint.host</name><value>127.0.0.1:%d</value>
          </property>
        </configuration>
        """
            .formatted(client, port));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void await(Process process, int port) throws Exception {
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return;
      } catch (IOException notYet) {
        if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
          throw new IOException("the emulator ended with " + process.exitValue(), notYet);
        }
      }
    }
  }

  /** For {@code --hbase-conf}. */
  public Path conf() {
    return conf;
  }

  /** For {@code --tsd-conf}. */
  public Path tsdConf() {
    return tsdConf;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
