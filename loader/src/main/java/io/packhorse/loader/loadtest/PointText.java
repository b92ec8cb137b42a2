package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes points of one time. Texts that come back are made once, for text is most of what a load
 * test costs. One thread.
 */
final class PointText {
  private final Workload workload;
  private final Protocol protocol;
  private final long tick;
  private final long timeMs;

  /** By metric; null until the first point of it. */
  private final @Nullable String[] heads;

  private final String[] middles;
  private final String[] tags;

  /** Combinations of the values of all tags behind each. */
  private final int[] below;

  private final String tail;

  /**
   * @param tick number of the time since 1970, in intervals
   */
  PointText(Workload workload, Protocol protocol, long tick, long timeMs) {
    this.workload = workload;
    this.protocol = protocol;
    this.tick = tick;
    this.timeMs = timeMs;
    List<WorkloadSeries.Tag> keys = workload.series().tags();
    heads = new String[workload.series().metrics().size()];
    middles = new String[heads.length];
    tags = new String[keys.size()];
    below = new int[keys.size()];
    int combinations = 1;
    for (int i = keys.size() - 1; i >= 0; i--) {
      tags[i] = protocol.tag(keys.get(i).key(), i == 0);
      below[i] = combinations;
      combinations *= keys.get(i).values();
    }
    tail = protocol.tail(timeMs, workload.values().decimals() == 0);
  }

  /** Appends the point of a series. */
  void append(StringBuilder out, int series) {
    int metric = workload.series().metricIndex(series);
    String head = heads[metric];
    if (head == null) {
      String name = workload.series().metrics().get(metric);
      head = protocol.head(name, timeMs);
      heads[metric] = head;
      middles[metric] = protocol.middle(name);
    }
    out.append(head);
    if (protocol.hasTagsFirst()) {
      appendTags(out, series);
      out.append(middles[metric]);
      appendValue(out, series);
    } else {
      appendValue(out, series);
      out.append(middles[metric]);
      appendTags(out, series);
    }
    out.append(tail);
  }

  private void appendValue(StringBuilder out, int series) {
    WorkloadValues values = workload.values();
    long key = WorkloadValues.key(workload.seed(), workload.series(), series);
    values.append(out, values.mantissa(key, tick));
  }

  private void appendTags(StringBuilder out, int series) {
    int rest = workload.series().number(series);
    for (int i = 0; i < tags.length; i++) {
      out.append(tags[i]).append(rest / below[i]);
      rest %= below[i];
    }
  }
}
