package io.packhorse.loader.load;

import io.packhorse.loader.source.generated.GeneratedPoints;
import io.packhorse.loader.source.generated.GeneratedRange;
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
  static List<List<GeneratedRange>> plan(
      GeneratedPoints points, RowKeyLayout layout, IntFunction<Tsuid> tsuids, int threads) {
    List<GeneratedRange> ranges = new ArrayList<>();
    List<int[]> buckets = buckets(points, layout, tsuids);
    int cuts = Math.min(points.hours(), (threads + buckets.size() - 1) / buckets.size());
    for (int[] series : buckets) {
      for (int cut = 0; cut < cuts; cut++) {
        ranges.add(
            new GeneratedRange(series, hourOf(cut, cuts, points), hourOf(cut + 1, cuts, points)));
      }
    }
    ranges.sort(Comparator.comparingLong(GeneratedRange::rows).reversed());
    int workers = Math.min(threads, ranges.size());
    List<List<GeneratedRange>> dealt = new ArrayList<>();
    long[] rows = new long[workers];
    for (int worker = 0; worker < workers; worker++) {
      dealt.add(new ArrayList<>());
    }
    for (GeneratedRange range : ranges) {
      int idlest = 0;
      for (int worker = 1; worker < workers; worker++) {
        idlest = rows[worker] < rows[idlest] ? worker : idlest;
      }
      dealt.get(idlest).add(range);
      rows[idlest] += range.rows();
    }
    return dealt;
  }

  private static int hourOf(int cut, int cuts, GeneratedPoints points) {
    return (int) ((long) points.hours() * cut / cuts);
  }

  /** The series of each bucket that has any, in the order of their rows. */
  private static List<int[]> buckets(
      GeneratedPoints points, RowKeyLayout layout, IntFunction<Tsuid> tsuids) {
    Map<Integer, Map<byte[], Integer>> buckets = new TreeMap<>();
    for (int series = 0; series < points.seriesCount(); series++) {
      Tsuid tsuid = tsuids.apply(series);
      buckets
          .computeIfAbsent(
              layout.salt().bucket(tsuid), none -> new TreeMap<>(Arrays::compareUnsigned))
          .put(layout.rowKey(tsuid, points.baseSeconds(0)), series);
    }
    return buckets.values().stream()
        .map(bucket -> bucket.values().stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }
}
