package io.packhorse.loader.store;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Builds the command line and configuration of a TSD, and waits until it answers. */
final class TsdServer {
  private static final Duration START_MAX = Duration.ofSeconds(90);

  private TsdServer() {}

  /** Writes the TSD's configuration; returns the command line that uses it. */
  static JavaCommand command(
      StoreDirectory store,
      Distribution distribution,
      TsdKind kind,
      int zookeeperPort,
      int port,
      OptionalInt heapMib)
      throws StoreException, IOException {
    Path home = store.root().resolve(kind.id());
    Files.createDirectories(home.resolve("static"));
    Files.createDirectories(home.resolve("cache"));
    Path conf = store.tsdConfig(kind);
    Files.writeString(conf, configuration(home, zookeeperPort, port));
    Path logback = home.resolve("logback.xml");
    Files.writeString(logback, logging(store.log(kind.id())));
    List<String> jvm = new ArrayList<>(distribution.jvmOptions());
    jvm.addAll(
        List.of(
            "-XX:+UseParallelGC",
            heapMib.isPresent() ? "-Xmx" + heapMib.getAsInt() + "m" : heap(kind),
            // The patched one answers a request that fills the heap, and lives on.
            (kind == TsdKind.STOCK ? "-XX:+" : "-XX:-") + "ExitOnOutOfMemoryError",
            "-XX:ErrorFile=" + store.log().resolve(kind.id() + ".crash"),
            "-Dlogback.configurationFile=" + logback));
    return new JavaCommand(
        jvm,
        distribution.classPath(kind.libraries()),
        "net.opentsdb.tools.TSDMain",
        List.of("--config=" + conf),
        // No PATH, so that it cannot start gnuplot, whose parameters come from requests.
        false);
  }

  /** The stock TSD keeps all rows of a query in memory. */
  private static String heap(TsdKind kind) {
    return kind == TsdKind.STOCK ? JavaCommand.heap(3, 8192) : JavaCommand.heap(8, 2048);
  }

  /** Content of opentsdb.conf. */
  static String configuration(Path home, int zookeeperPort, int port) {
    return """
    # Written at each start of the embedded store; changes are lost.
    tsd.network.bind = 127.0.0.1
    tsd.network.port = %d
    tsd.no_diediedie = true
    tsd.http.staticroot = %s
    tsd.http.cachedir = %s
    tsd.http.request.enable_chunked = true
    tsd.http.request.max_chunk = 16777216
    tsd.http.show_stack_trace = false
    tsd.core.auto_create_metrics = true
    tsd.storage.hbase.zk_quorum = 127.0.0.1:%d
    tsd.storage.hbase.zk_basedir = /hbase
    tsd.storage.salt.width = %d
    tsd.storage.salt.buckets = %d
    # A compacting TSD rewrites rows with a new timestamp, which changes which point wins.
    tsd.storage.enable_compaction = false
    tsd.storage.fix_duplicates = true
    """
        .formatted(
            port,
            property(home.resolve("static")),
            property(home.resolve("cache")),
            zookeeperPort,
            ServerOptions.SALT_WIDTH,
            ServerOptions.SALT_BUCKETS);
  }

  /** A path as a properties value, with escapes so that the file's encoding does not matter. */
  private static String property(Path path) {
    StringBuilder text = new StringBuilder();
    for (char c : path.toString().toCharArray()) {
      boolean plain = c >= ' ' && c <= '~' && c != '\\';
      text.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return text.toString();
  }

  /** Log configuration: a file of limited size, and the buffer that OpenTSDB's /logs page shows. */
  static String logging(Path file) {
    return """
    <configuration>
      <appender name="CYCLIC" class="ch.qos.logback.core.read.CyclicBufferAppender">
        <MaxSize>1024</MaxSize>
      </appender>
      <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
        <file>%1$s</file>
        <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
          <fileNamePattern>%1$s.%%i</fileNamePattern>
          <minIndex>1</minIndex>
          <maxIndex>3</maxIndex>
        </rollingPolicy>
        <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
          <maxFileSize>10MB</maxFileSize>
        </triggeringPolicy>
        <encoder>
          <pattern>%%d{ISO8601} %%-5level [%%thread] %%logger{0}: %%replace(%%replace(%%msg%%n%%ex){'[\\x00-\\x08\\x0b-\\x1f\\x7f]','?'}){'\\n(?=.)','$0  '}</pattern>
        </encoder>
      </appender>
      <logger name="QueryLog" level="OFF"/>
      <root level="WARN">
        <appender-ref ref="CYCLIC"/>
        <appender-ref ref="FILE"/>
      </root>
    </configuration>
    """
        .formatted(file.toString().replace("&", "&amp;").replace("<", "&lt;"));
  }

  static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * Waits for the first answer of the TSD.
   *
   * @throws StoreException if it ends or does not answer, with its last error and the path of its
   *     log; it is killed then
   */
  static void await(StoreDirectory store, TsdKind kind, ServerProcess process, int port)
      throws StoreException, IOException, InterruptedException {
    long deadline = System.nanoTime() + START_MAX.toNanos();
    try {
      while (true) {
        if (!process.isAlive()) {
          throw StoreException.failed(
              "the "
                  + kind.label()
                  + " TSD ended while starting: "
                  + LogTail.lastLine(store.log(kind.id()), store.output(kind.id()))
                  + "; logs in "
                  + store.log());
        }
        if (answers(port)) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw StoreException.failed(
              "the "
                  + kind.label()
                  + " TSD did not answer within "
                  + START_MAX.toSeconds()
                  + " s; log: "
                  + store.log(kind.id()));
        }
        Thread.sleep(50);
      }
    } catch (StoreException | IOException | InterruptedException e) {
      process.kill();
      throw e;
    }
  }

  private static boolean answers(int port) throws IOException {
    HttpURLConnection request =
        (HttpURLConnection) url(port).resolve("/api/version").toURL().openConnection();
    request.setConnectTimeout(1_000);
    request.setReadTimeout(10_000);
    try {
      return request.getResponseCode() == HttpURLConnection.HTTP_OK
          && new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .contains("version");
    } catch (IOException notYet) {
      return false;
    } finally {
      request.disconnect();
    }
  }
}
