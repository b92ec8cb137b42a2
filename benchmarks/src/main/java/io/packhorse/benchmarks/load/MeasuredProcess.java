package io.packhorse.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process from its start to its end. On Linux, whose accounts it reads.
 *
 * @param output what it printed
 * @param seconds until it had ended
 * @param cpuSeconds of it and the processes it waited for
 * @param peakBytes most memory that was resident at once
 */
public record MeasuredProcess(String output, double seconds, double cpuSeconds, long peakBytes) {
  private static final int TICKS_PER_SECOND = 100;
  private static final int LOOK_MS = 20;

  /** Fields of a process's stat behind its name, those of the children it has waited for. */
  private static final int CHILD_USER = 13;

  private static final int CHILD_SYSTEM = 14;

  /**
   * Runs it; its standard error is ours. No other child of this process may end meanwhile.
   *
   * @throws IOException if it does not end with exit code 0
   */
  public static MeasuredProcess run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("packhorse-bench", ".out");
    try {
      MeasuredProcess ended = run(command, output);
      return new MeasuredProcess(
          Files.readString(output), ended.seconds, ended.cpuSeconds, ended.peakBytes);
    } finally {
      Files.delete(output);
    }
  }

  /**
   * As {@link #run(List)}, for much output.
   *
   * @param output gets what it prints
   */
  public static MeasuredProcess run(List<String> command, Path output)
      throws IOException, InterruptedException {
    double cpuBefore = cpuOfChildren();
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long peak = 0;
    do {
      peak = Math.max(peak, peakOf(process.pid()));
    } while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS));
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException("exit code " + process.exitValue() + " from: " + command);
    }
    return new MeasuredProcess("", seconds, cpuOfChildren() - cpuBefore, peak);
  }

  /** CPU of all children that have ended and were waited for. */
  public static double cpuOfChildren() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[CHILD_USER]) + Long.parseLong(fields[CHILD_SYSTEM]);
    return (double) ticks / TICKS_PER_SECOND;
  }

  /** Greatest resident set of a process so far, in bytes; 0 if it is gone. */
  public static long peakOf(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    try (InputStream in = Files.newInputStream(status)) {
      String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return text.lines()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (NoSuchFileException gone) {
      return 0;
    } catch (IOException gone) {
      if (!Files.exists(status)) {
        return 0;
      }
      throw gone;
    }
  }
}
