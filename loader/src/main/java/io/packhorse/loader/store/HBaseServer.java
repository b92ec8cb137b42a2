package io.packhorse.loader.store;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts the HBase process of a store and waits until it serves. */
final class HBaseServer {
  /**
   * It takes some seconds; after a kill, on a machine that is busy, it was once over 150. Longer
   * than HBase itself waits.
   */
  private static final Duration START_MAX = Duration.ofSeconds(400);

  private static final String MAIN = "io.packhorse.embedded.EmbeddedHBase";

  /** JDK packages that HBase and Hadoop access by reflection. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.reflect",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/jdk.internal.misc",
          "java.base/sun.nio.ch");

  /**
   * For short runs: C2 compiles at four times the usual thresholds and inlines less, and a small
   * young generation reuses memory that the process has touched already.
   */
  private static final List<String> SHORT_RUN =
      List.of(
          "-XX:Tier4InvocationThreshold=20000",
          "-XX:Tier4MinInvocationThreshold=2400",
          "-XX:Tier4CompileThreshold=60000",
          "-XX:Tier4BackEdgeThreshold=160000",
          "-XX:FreqInlineSize=80",
          "-XX:MaxNewSize=384m");

  private HBaseServer() {}

  /** The command line; ports are taken from the state. */
  static JavaCommand command(
      StoreDirectory store, Distribution distribution, ServerState state, boolean tied)
      throws StoreException, IOException {
    List<String> jvm = new ArrayList<>(distribution.jvmOptions());
    OPENED.forEach(name -> jvm.addAll(List.of("--add-opens", name + "=ALL-UNNAMED")));
    jvm.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
    jvm.add("-XX:+UseParallelGC");
    jvm.addAll(SHORT_RUN);
    jvm.add(JavaCommand.heap(6, 4096));
    jvm.add("-XX:+ExitOnOutOfMemoryError");
    jvm.add("-XX:ErrorFile=" + store.log().resolve("hbase.crash"));
    jvm.add("-Dlog4j.configuration=packhorse-hbase-log4j.properties");
    jvm.add("-Dpackhorse.log.file=" + store.log(ServerState.HBASE));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--dir",
                store.root().toString(),
                "--zookeeper-port",
                port(state, ServerState.ZOOKEEPER),
                "--master-port",
                port(state, ServerState.MASTER),
                "--region-server-port",
                port(state, ServerState.REGION_SERVER)));
    if (tied) {
      arguments.addAll(List.of("--parent", Long.toString(ProcessHandle.current().pid())));
    }
    return new JavaCommand(jvm, distribution.classPath(List.of("hbase")), MAIN, arguments, true);
  }

  private static String port(ServerState state, String name) {
    return Integer.toString(state.port(name).orElseThrow());
  }

  /** Removes the status file of an earlier process. */
  static void forgetStatus(StoreDirectory store) throws IOException {
    Files.deleteIfExists(store.hbaseStatus());
  }

  /**
   * Waits until the process reports in the status file that it is ready.
   *
   * @throws StoreException if it fails, with its reason and the path of its log; it is killed then
   */
  static void await(StoreDirectory store, ServerProcess process)
      throws StoreException, IOException, InterruptedException {
    long deadline = System.nanoTime() + START_MAX.toNanos();
    try {
      while (true) {
        boolean alive = process.isAlive();
        if (Files.exists(store.hbaseStatus())) {
          String status = Files.readString(store.hbaseStatus()).strip();
          if (status.equals("ready")) {
            return;
          }
          throw StoreException.failed(
              "HBase did not start: "
                  + status.replaceFirst("^failed: ", "")
                  + "; last error: "
                  + LogTail.lastLine(store.log(ServerState.HBASE))
                  + "; log: "
                  + store.log(ServerState.HBASE));
        }
        if (!alive) {
          throw StoreException.failed(
              "HBase ended while starting: "
                  + LogTail.lastLine(store.output(ServerState.HBASE), store.log(ServerState.HBASE))
                  + "; logs in "
                  + store.log());
        }
        if (System.nanoTime() > deadline) {
          throw StoreException.failed(
              "HBase did not start within "
                  + START_MAX.toSeconds()
                  + " s; log: "
                  + store.log(ServerState.HBASE));
        }
        Thread.sleep(25);
      }
    } catch (StoreException | IOException | InterruptedException e) {
      process.kill();
      throw e;
    }
  }
}
