package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.repack.RepackCount;
import io.packhorse.loader.repack.RepackCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a sample of hours says of all hours. */
final class HourSampleTest {
  private static final int HOURS = 5_000;
  private static final int READ = 100;

  private final SplittableRandom random = new SplittableRandom(35);

  @Test
  void theTruthIsWithinTheBoundInAbout95Of100Samples() {
    List<long[]> hours = new ArrayList<>();
    long truth = 0;
    for (int i = 0; i < HOURS; i++) {
      // More in later hours, more by day, and chance.
      long points = i + i % 24 * 300 + random.nextLong(5_000);
      hours.add(counts(points));
      truth += points;
    }
    int within = 0;
    double widest = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      List<long[]> read = new ArrayList<>();
      for (long chosen : HourSample.choose(HOURS, READ, seed)) {
        read.add(hours.get((int) chosen));
      }
      HourSample sample = new HourSample(HOURS, read);
      double bound = sample.bound(RepackCount.POINTS);
      widest = Math.max(widest, bound);
      within += Math.abs(sample.estimate().get(RepackCount.POINTS) - truth) <= bound ? 1 : 0;
    }
    assertTrue(within >= 940, within + " of 1000");
    assertTrue(widest < 0.15 * truth, "a bound that wide says nothing: " + widest / truth);
  }

  @Test
  void hoursAreOneOfEachRangeAndTheSameAgain() {
    long[] chosen = HourSample.choose(HOURS, READ, 7);
    assertArrayEquals(chosen, HourSample.choose(HOURS, READ, 7));
    for (int i = 0; i < READ; i++) {
      assertEquals(i, chosen[i] / (HOURS / READ));
    }
    assertArrayEquals(new long[] {0, 1, 2}, HourSample.choose(3, 3, 7));
  }

  @Test
  void allHoursAreExactAndOneSaysNothingOfTheError() {
    HourSample all = new HourSample(2, List.of(counts(3), counts(8)));
    assertEquals(11, all.estimate().get(RepackCount.POINTS));
    assertEquals(0, all.bound(RepackCount.POINTS));
    HourSample one = new HourSample(2, List.of(counts(3)));
    assertEquals(6, one.estimate().get(RepackCount.POINTS));
    assertEquals(Double.POSITIVE_INFINITY, one.bound(RepackCount.POINTS));
  }

  private static long[] counts(long points) {
    RepackCounts counts = new RepackCounts();
    counts.add(RepackCount.POINTS, points);
    return counts.toArray();
  }
}
