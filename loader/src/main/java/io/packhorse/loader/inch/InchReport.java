package io.packhorse.loader.inch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes how a run goes to a server of its own, database {@value #DATABASE}: measurement {@code
 * runtime} each second, {@code summary} at the end. One thread.
 */
public final class InchReport {
  /** Where its points go. */
  public static final String DATABASE = "ingest_benchmarks";

  private final InchTarget to;
  private final Map<String, String> tags;
  private long written;
  private long errors;

  /**
   * @param tags of all points
   */
  public InchReport(InchTarget to, Map<String, String> tags) {
    this.to = to;
    this.tags = new TreeMap<>(tags);
  }

  /** Creates the database. */
  public void begin() throws IOException, InterruptedException {
    InchTarget.Answer answer = to.query("CREATE DATABASE \"" + DATABASE + "\"");
    if (answer.status() != 200) {
      throw new IOException(answer.toString());
    }
  }

  /**
   * Writes a point. As in inch, {@code write_error} counts the failed requests since the point
   * before.
   *
   * @param last whether the run has ended
   * @param creatingSeries whether fewer points than series have been written, so that new series
   *     are still being created
   */
  public void write(InchRun.Seen seen, boolean last, boolean creatingSeries)
      throws IOException, InterruptedException {
    StringBuilder line = new StringBuilder(last ? "summary" : "runtime");
    tags.forEach(
        (key, value) -> line.append(',').append(escape(key)).append('=').append(escape(value)));
    line.append(",creating_series=").append(creatingSeries);
    double rate = seen.points() / Math.max(0.001, seen.seconds());
    line.append(
        String.format(
            Locale.ROOT,
            " T=%di,points_written=%di,values_written=%di,points_ps=%.1f,values_ps=%.1f,"
                + "write_error=%di,resp_mean=%di,resp_90=%di,resp_95=%di,resp_99=%di %d",
            (long) seen.seconds(),
            seen.points(),
            seen.values(),
            rate,
            seen.points() == 0 ? 0 : rate * seen.values() / seen.points(),
            seen.errors() - errors,
            Math.round(seen.latencies().getMean() / 1000),
            seen.latencies().getValueAtPercentile(90) / 1000,
            seen.latencies().getValueAtPercentile(95) / 1000,
            seen.latencies().getValueAtPercentile(99) / 1000,
            System.currentTimeMillis() * 1_000_000));
    InchTarget.Answer answer =
        to.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8), written++);
    if (!answer.isGood()) {
      throw new IOException(answer.toString());
    }
    errors = seen.errors();
  }

  private static String escape(String text) {
    return text.replaceAll("([,= ])", "\\\\$1");
  }
}
