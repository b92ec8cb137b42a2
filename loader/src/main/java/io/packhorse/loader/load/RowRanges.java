package io.packhorse.loader.load;

import io.packhorse.loader.source.generated.GeneratedPoints;
import io.packhorse.loader.source.generated.GeneratedRange;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/** Which thread generates which rows, so that each makes its own in the order of their keys. */
final class RowRanges {
  private RowRanges() {}

  /**
   * Deals salt buckets out to threads, cut by time where there are more threads than buckets with
   * series; each thread gets about the same number of rows.
   *
   * @param tsuids of the series, by number
   * @param inOrder the numbers of all series in the order of their TSUIDs
   * @return one list a thread, none empty; at most {@code threads}
   */
  static List<List<GeneratedRange>> plan(
      GeneratedPoints points,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      int[] inOrder,
      int threads) {
    List<GeneratedRange> ranges = new ArrayList<>();
    List<int[]> buckets = buckets(layout.salt(), tsuids, inOrder);
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
  private static List<int[]> buckets(SaltFunction salt, IntFunction<Tsuid> tsuids, int[] inOrder) {
    int[] sizes = new int[salt.buckets()];
    for (int series : inOrder) {
      sizes[salt.bucket(tsuids.apply(series))]++;
    }
    int[][] buckets = new int[sizes.length][];
    for (int bucket = 0; bucket < sizes.length; bucket++) {
      buckets[bucket] = new int[sizes[bucket]];
    }
    int[] filled = new int[sizes.length];
    // Rows of one hour in one bucket are in the order of their TSUIDs.
    for (int series : inOrder) {
      int bucket = salt.bucket(tsuids.apply(series));
      buckets[bucket][filled[bucket]++] = series;
    }
    return Arrays.stream(buckets).filter(bucket -> bucket.length > 0).toList();
  }
}
