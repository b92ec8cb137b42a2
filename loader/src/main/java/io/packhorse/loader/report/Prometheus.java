package io.packhorse.loader.report;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Metrics of a running load in Prometheus text format. One thread. */
public final class Prometheus {
  /** Content type of the format. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  private Prometheus() {}

  /**
   * The metrics as text.
   *
   * @param calls durations of calls in microseconds
   */
  public static String text(Sample now, Histogram calls) {
    Prometheus page = new Prometheus();
    page.add("points_total", "counter", "Points acknowledged by the store.", now.points());
    page.add("cells_total", "counter", "Cells written.", now.cells());
    page.add("cell_bytes_total", "counter", "Bytes of the cells written.", now.cellBytes());
    page.add("rejected_total", "counter", "Rejected lines and fields.", now.rejected());
    page.add("row_retries_total", "counter", "Rows put again.", now.retries());
    page.add("cpu_seconds_total", "counter", "CPU time of the loader.", now.cpuSeconds());
    page.add("heap_bytes", "gauge", "Heap in use.", now.heapBytes());
    page.add("calls_in_flight", "gauge", "Calls to the store in flight.", now.inFlight());
    if (now.share() >= 0) {
      page.add("input_ratio", "gauge", "Share of the input that is loaded.", now.share());
    }
    page.head("call_seconds", "summary", "Duration of calls to the store.");
    for (double quantile : new double[] {0.5, 0.9, 0.99, 0.999}) {
      page.text.append(
          String.format(
              Locale.ROOT,
              "packhorse_call_seconds{quantile=\"%s\"} %s\n",
              quantile,
              calls.getValueAtPercentile(100 * quantile) / 1e6));
    }
    double sum = calls.getTotalCount() == 0 ? 0 : calls.getMean() * calls.getTotalCount() / 1e6;
    page.text.append("packhorse_call_seconds_sum ").append(sum).append('\n');
    page.text.append("packhorse_call_seconds_count ").append(calls.getTotalCount()).append('\n');
    return page.text.toString();
  }

  private void head(String name, String type, String help) {
    text.append("# HELP packhorse_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE packhorse_").append(name).append(' ').append(type).append('\n');
  }

  private void add(String name, String type, String help, Number value) {
    head(name, type, help);
    text.append("packhorse_").append(name).append(' ').append(value).append('\n');
  }
}
