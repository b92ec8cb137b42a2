package io.packhorse.benchmarks.receive;

import io.packhorse.benchmarks.load.MeasuredProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that this process starts and ends. On Linux. */
public final class ServerProcess implements AutoCloseable {
  private static final File NULL = new File("/dev/null");
  private static final int LOOK_MS = 20;

  /** What a JVM ends with after SIGTERM, whatever it has done before. */
  private static final int TERMINATED = 143;

  private final Process process;
  private final double cpuOfOthers;

  /** Starts it; its standard error is ours. */
  public ServerProcess(List<String> command) throws IOException {
    cpuOfOthers = MeasuredProcess.cpuOfChildren();
    process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(NULL))
            .redirectOutput(ProcessBuilder.Redirect.to(NULL))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  /**
   * How it ended.
   *
   * @param cpuSeconds from its start to its end
   * @param peakBytes most memory that was resident at once
   */
  public record Ended(double cpuSeconds, long peakBytes) {}

  public long pid() {
    return process.pid();
  }

  /** Waits until it answers. */
  public void await(URI page) throws IOException, InterruptedException {
    await(page, "");
  }

  /** As {@link #await(URI)}, until the page has a text. */
  void await(URI page, String text) throws IOException, InterruptedException {
    while (process.isAlive()) {
      try (InputStream in = page.toURL().openStream()) {
        if (new String(in.readAllBytes(), StandardCharsets.UTF_8).contains(text)) {
          return;
        }
      } catch (IOException notYet) {
        // It is asked again.
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    throw new IOException("exit code " + process.exitValue() + " before it answered at " + page);
  }

  /**
   * Asks it to end, and waits. No other child of this process may have ended since its start.
   *
   * @throws IOException if it does not end with 0 or as SIGTERM ends it
   */
  public Ended stop() throws IOException, InterruptedException {
    process.destroy();
    long peak = 0;
    do {
      peak = Math.max(peak, MeasuredProcess.peakOf(process.pid()));
    } while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS));
    if (process.exitValue() != 0 && process.exitValue() != TERMINATED) {
      throw new IOException("exit code " + process.exitValue() + " after SIGTERM");
    }
    return new Ended(MeasuredProcess.cpuOfChildren() - cpuOfOthers, peak);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** A port that is free now. */
  public static InetSocketAddress free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  public static URI url(InetSocketAddress address, String path) {
    return URI.create("http://127.0.0.1:" + address.getPort() + path);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
