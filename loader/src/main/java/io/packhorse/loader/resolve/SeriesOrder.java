package io.packhorse.loader.resolve;

import io.packhorse.loader.point.SeriesNames;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;

/**
 * Sorts series by their TSUIDs without making these: tags are sorted once, though each of many
 * metrics may have them, and what is moved are numbers. It takes 4 bytes a series, 12 for different
 * tags, and 8 for each series of the largest metric. Used once.
 */
final class SeriesOrder {
  private final SeriesNames names;
  private final SeriesResolver resolver;
  private final int count;

  /**
   * @param count of the series, which are resolved
   */
  SeriesOrder(SeriesNames names, SeriesResolver resolver, int count) {
    this.names = names;
    this.resolver = resolver;
    this.count = count;
  }

  /** The numbers of those that are wanted, in order. */
  int[] sorted(IntPredicate wanted) {
    int[] rankOfMetric = ranks(metrics(), this::compareMetrics);
    int[] ends = ends(rankOfMetric, wanted);
    int[] series = byMetric(rankOfMetric, ends, wanted);
    int[] rankOfTags = ranks(tagSets(), resolver::compareTags);
    long[] keys = new long[longest(ends)];
    int from = 0;
    for (int end : ends) {
      sort(series, from, end, rankOfTags, keys);
      from = end;
    }
    return series;
  }

  private int compareMetrics(int one, int other) {
    return Long.compareUnsigned(resolver.uidOfMetric(one), resolver.uidOfMetric(other));
  }

  /** More may have got a number since, of which nothing is known yet. */
  private int metrics() {
    int end = 0;
    for (int id = 0; id < count; id++) {
      end = Math.max(end, names.metric(id) + 1);
    }
    return end;
  }

  private int tagSets() {
    int end = 0;
    for (int id = 0; id < count; id++) {
      end = Math.max(end, names.tagSet(id) + 1);
    }
    return end;
  }

  private static int[] ranks(int numbers, IntBinaryOperator compare) {
    int[] sorted = NumberSort.sorted(numbers, compare);
    int[] ranks = new int[numbers];
    for (int rank = 0; rank < numbers; rank++) {
      ranks[sorted[rank]] = rank;
    }
    return ranks;
  }

  /** By rank of the metric: where its series end, if those of one follow those of the other. */
  private int[] ends(int[] rankOfMetric, IntPredicate wanted) {
    int[] ends = new int[rankOfMetric.length];
    for (int id = 0; id < count; id++) {
      if (wanted.test(id)) {
        ends[rankOfMetric[names.metric(id)]]++;
      }
    }
    for (int rank = 1; rank < ends.length; rank++) {
      ends[rank] += ends[rank - 1];
    }
    return ends;
  }

  private int[] byMetric(int[] rankOfMetric, int[] ends, IntPredicate wanted) {
    int[] next = ends.clone();
    int[] series = new int[ends.length == 0 ? 0 : ends[ends.length - 1]];
    for (int id = count - 1; id >= 0; id--) {
      if (wanted.test(id)) {
        series[--next[rankOfMetric[names.metric(id)]]] = id;
      }
    }
    return series;
  }

  private static int longest(int[] ends) {
    int longest = 0;
    for (int rank = 0; rank < ends.length; rank++) {
      longest = Math.max(longest, ends[rank] - (rank == 0 ? 0 : ends[rank - 1]));
    }
    return longest;
  }

  /** Sorts series of one metric. */
  private void sort(int[] series, int from, int to, int[] rankOfTags, long[] keys) {
    for (int i = from; i < to; i++) {
      keys[i - from] = (long) rankOfTags[names.tagSet(series[i])] << Integer.SIZE | series[i];
    }
    Arrays.sort(keys, 0, to - from);
    for (int i = from; i < to; i++) {
      series[i] = (int) keys[i - from];
    }
  }
}
