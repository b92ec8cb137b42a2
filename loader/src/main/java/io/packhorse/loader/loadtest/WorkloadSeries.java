package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The series of a workload, numbered: metric by metric, the last tag key changing fastest. The
 * values of tag {@code site} are {@code site0}, {@code site1} and so on. Any number of threads.
 */
final class WorkloadSeries {
  private final Workload workload;
  private final List<String> keys;
  private final int ofMetric;

  WorkloadSeries(Workload workload) {
    this.workload = workload;
    this.keys = List.copyOf(workload.tags().keySet());
    this.ofMetric = workload.series() / workload.metrics().size();
  }

  String metric(int series) {
    return workload.metrics().get(series / ofMetric);
  }

  Map<String, String> tags(int series) {
    Map<String, String> tags = new TreeMap<>();
    int rest = series % ofMetric;
    for (int i = keys.size() - 1; i >= 0; i--) {
      int count = count(keys.get(i));
      tags.put(keys.get(i), keys.get(i) + rest % count);
      rest /= count;
    }
    return tags;
  }

  int count(String key) {
    return workload.tags().getOrDefault(key, 1);
  }

  /**
   * Series of a metric that have some tags.
   *
   * @param metric its index
   */
  List<Integer> matching(int metric, Map<String, String> where) {
    List<Integer> matching = new ArrayList<>();
    for (int series = metric * ofMetric; series < (metric + 1) * ofMetric; series++) {
      if (tags(series).entrySet().containsAll(where.entrySet())) {
        matching.add(series);
      }
    }
    return matching;
  }

  /** The series with exactly these tags, or -1. */
  int of(int metric, Map<String, String> tags) {
    int series = 0;
    for (String key : keys) {
      String value = tags.getOrDefault(key, "");
      if (tags.size() != keys.size() || !value.matches(key + "\\d{1,9}")) {
        return -1;
      }
      int number = Integer.parseInt(value.substring(key.length()));
      if (number >= count(key)) {
        return -1;
      }
      series = series * count(key) + number;
    }
    return metric * ofMetric + series;
  }
}
