package io.packhorse.loader.load;

import io.packhorse.loader.source.walk.WalkRange;
import io.packhorse.loader.source.walk.WalkSpec;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Which thread generates which rows, so that each makes its own in the order of their keys. */
final class RowRanges {
  private RowRanges() {}

  /**
   * Deals salt buckets out to threads, cut by time where there are more threads than buckets with
   * series; each thread gets about the same number of rows.
   *
   * @param tsuids of the series, by number
   * @return one list a thread, none empty; at most {@code threads}
   */
  static List<List<WalkRange>> plan(
      WalkSpec spec, RowKeyLayout layout, IntFunction<Tsuid> tsuids, int threads) {
    List<WalkRange> ranges = new ArrayList<>();
    List<int[]> buckets = buckets(spec, layout, tsuids);
    int cuts = Math.min(spec.hours(), (threads + buckets.size() - 1) / buckets.size());
    for (int[] series : buckets) {
      for (int cut = 0; cut < cuts; cut++) {
        ranges.add(new WalkRange(series, hourOf(cut, cuts, spec), hourOf(cut + 1, cuts, spec)));
      }
    }
    ranges.sort(Comparator.comparingLong(WalkRange::rows).reversed());
    int workers = Math.min(threads, ranges.size());
    List<List<WalkRange>> dealt = new ArrayList<>();
    long[] rows = new long[workers];
    for (int worker = 0; worker < workers; worker++) {
      dealt.add(new ArrayList<>());
    }
    for (WalkRange range : ranges) {
      int idlest = 0;
      for (int worker = 1; worker < workers; worker++) {
        idlest = rows[worker] < rows[idlest] ? worker : idlest;
      }
      dealt.get(idlest).add(range);
      rows[idlest] += range.rows();
    }
    return dealt;
  }

  private static int hourOf(int cut, int cuts, WalkSpec spec) {
    return (int) ((long) spec.hours() * cut / cuts);
  }

  /** The series of each bucket that has any, in the order of their rows. */
  private static List<int[]> buckets(
      WalkSpec spec, RowKeyLayout layout, IntFunction<Tsuid> tsuids) {
    Map<Integer, Map<byte[], Integer>> buckets = new TreeMap<>();
    for (int series = 0; series < spec.sensors(); series++) {
      Tsuid tsuid = tsuids.apply(series);
      buckets
          .computeIfAbsent(
              layout.salt().bucket(tsuid), none -> new TreeMap<>(Arrays::compareUnsigned))
          .put(layout.rowKey(tsuid, spec.baseSeconds(0)), series);
    }
    return buckets.values().stream()
        .map(bucket -> bucket.values().stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }
}
