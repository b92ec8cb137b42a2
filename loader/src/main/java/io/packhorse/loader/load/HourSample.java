package io.packhorse.loader.load;

import io.packhorse.loader.repack.RepackCount;
import io.packhorse.loader.repack.RepackCounts;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Counts of some hours that stand for all of them: one hour, chosen by chance, of each of so many
 * ranges of equal length. Any number of threads.
 *
 * @param hours there are, 1 or more
 * @param counts of each hour that was read, as {@link RepackCounts#toArray}; at least one hour
 */
public record HourSample(long hours, List<long[]> counts) {
  /** Of 100 samples about 95 have their figures within so many standard errors of the truth. */
  private static final double STANDARD_ERRORS = 2;

  /**
   * Chooses hours; the same ones for equal arguments.
   *
   * @param hours to choose from, 1 or more
   * @param wanted how many, 1 to {@code hours}
   * @return their numbers from 0, rising
   */
  static long[] choose(long hours, int wanted, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return LongStream.range(0, wanted)
        .map(i -> random.nextLong(hours * i / wanted, hours * (i + 1) / wanted))
        .toArray();
  }

  /** Whether all hours were read. */
  public boolean isWhole() {
    return counts.size() == hours;
  }

  /** Estimates of all hours; a new object. */
  RepackCounts estimate() {
    RepackCounts all = new RepackCounts();
    for (RepackCount count : RepackCount.values()) {
      all.add(count, Math.round(mean(count) * hours));
    }
    return all;
  }

  /**
   * How far an estimate may be off: the truth is so close in 95 of 100 samples, if no few hours
   * have most of the figure. 0 if all hours were read.
   */
  public double bound(RepackCount count) {
    int read = counts.size();
    if (isWhole()) {
      return 0;
    }
    if (read == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double mean = mean(count);
    double squares =
        counts.stream().mapToDouble(each -> figure(each, count) - mean).map(off -> off * off).sum();
    double ofMean = squares / (read - 1) / read * (1 - (double) read / hours);
    return STANDARD_ERRORS * Math.sqrt(ofMean) * hours;
  }

  private double mean(RepackCount count) {
    return counts.stream().mapToLong(each -> figure(each, count)).average().orElseThrow();
  }

  private static long figure(long[] hour, RepackCount count) {
    RepackCounts of = new RepackCounts();
    of.addAll(hour);
    return of.get(count);
  }
}
