package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How a load test ended.
 *
 * @param seconds that figures counted for
 * @param calls of writes, then of each reader
 * @param judged limits with the figures found
 * @param right answers that were checked and right
 * @param wrong answers that were wrong
 * @param unchecked answers that could not be checked
 * @param examples the first of what was wrong
 * @param store what HBase did meanwhile
 * @param invalid why the figures mean nothing; empty if they count
 */
public record LoadTestResult(
    Workload workload,
    double seconds,
    List<Calls> calls,
    List<Judged> judged,
    long right,
    long wrong,
    long unchecked,
    List<String> examples,
    StoreLoad store,
    String invalid) {
  /** How a load test is judged. */
  public enum Verdict {
    /** All limits are kept, every checked answer is right. */
    PASSED,
    /** A limit is missed. */
    MISSED,
    /** An answer is wrong. */
    WRONG_DATA,
    /** The generator was late, or the test was ended early: the figures mean nothing. */
    INVALID
  }

  /**
   * Calls of one kind.
   *
   * @param intended points or queries that were to be sent
   * @param errors by kind
   * @param responses microseconds from the intended time to the answer
   * @param services microseconds from sending to the answer
   * @param lags microseconds that the generator itself was late
   */
  public record Calls(
      String name,
      long intended,
      long done,
      long dropped,
      Map<String, Long> errors,
      Histogram responses,
      Histogram services,
      Histogram lags) {
    static Calls of(CallStats stats) {
      return new Calls(
          stats.name(),
          stats.intended(),
          stats.done(),
          stats.dropped(),
          stats.errors(),
          stats.responses(),
          stats.services(),
          stats.lags());
    }

    Map<String, Object> json(double seconds) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("name", name);
      json.put("intended", intended);
      json.put("done", done);
      json.put("dropped", dropped);
      json.put("errors", errors);
      json.put("done_per_s", done / seconds);
      json.put("response_ms", times(responses));
      json.put("service_ms", times(services));
      json.put("generator_lag_ms", times(lags));
      return json;
    }

    private static Map<String, Double> times(Histogram of) {
      Map<String, Double> times = new LinkedHashMap<>();
      times.put("p50", of.getValueAtPercentile(50) / 1000.0);
      times.put("p90", of.getValueAtPercentile(90) / 1000.0);
      times.put("p99", of.getValueAtPercentile(99) / 1000.0);
      times.put("p99.9", of.getValueAtPercentile(99.9) / 1000.0);
      times.put("max", of.getMaxValue() / 1000.0);
      return times;
    }
  }

  /**
   * A limit and what was found.
   *
   * @param found milliseconds or a share
   */
  public record Judged(Limit limit, double found, boolean kept) {
    /** The figure with its unit. */
    public String figure() {
      return limit.isTime()
          ? String.format("%.1f ms", found)
          : String.format("%.3f %%", 100 * found);
    }
  }

  /** The verdict; wrong data outweighs everything else. */
  public Verdict verdict() {
    if (wrong > 0) {
      return Verdict.WRONG_DATA;
    }
    if (!invalid.isEmpty()) {
      return Verdict.INVALID;
    }
    return judged.stream().allMatch(Judged::kept) ? Verdict.PASSED : Verdict.MISSED;
  }

  /** The limits that were missed, with what was found. */
  public List<String> missed() {
    return judged.stream()
        .filter(each -> !each.kept())
        .map(each -> each.limit().text() + ": " + each.figure())
        .toList();
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("workload", workload.name());
    json.put("verdict", verdict().name().toLowerCase(java.util.Locale.ROOT));
    json.put("seconds", seconds);
    json.put("series", workload.series().count());
    json.put("loop", workload.closed() ? "closed" : "open");
    json.put("points_per_s_intended", workload.closed() ? null : workload.pointsPerSecond());
    json.put("calls", calls.stream().map(of -> of.json(seconds)).toList());
    List<Map<String, Object>> limits = new ArrayList<>();
    for (Judged each : judged) {
      Map<String, Object> limit = new LinkedHashMap<>();
      limit.put("limit", each.limit().text());
      limit.put("found", each.found());
      limit.put("kept", each.kept());
      limits.add(limit);
    }
    json.put("limits", limits);
    json.put("answers_right", right);
    json.put("answers_wrong", wrong);
    json.put("answers_unchecked", unchecked);
    json.put("wrong_examples", examples);
    json.put("hbase", store.json());
    json.put("invalid", invalid);
    return json;
  }
}
