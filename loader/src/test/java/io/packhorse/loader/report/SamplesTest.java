package io.packhorse.loader.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class SamplesTest {
  @Test
  void keepsTheWholeLoadInFewSamples() {
    Samples samples = new Samples();
    for (int second = 0; second < 10_007; second++) {
      samples.add(sample(second, second * 100L, -1, second == 4_321 ? 99 : 1));
    }
    List<Sample> all = samples.all();
    assertTrue(all.size() > Samples.COUNT_MAX / 2 && all.size() <= Samples.COUNT_MAX);
    assertEquals(0, all.get(0).seconds());
    assertEquals(10_006, all.get(all.size() - 1).seconds());
    for (int i = 1; i < all.size(); i++) {
      assertTrue(all.get(i - 1).seconds() < all.get(i).seconds(), "at " + i);
    }
    assertEquals(1, all.stream().filter(kept -> kept.callMsMax() == 99).count());
  }

  @Test
  void estimatesFromTheSpeedOfTheLastHalfMinute() {
    Samples samples = new Samples();
    assertEquals(OptionalDouble.empty(), samples.secondsLeft());
    for (int second = 0; second <= 100; second++) {
      // A tenth in the first minute, then a hundredth a second.
      samples.add(
          sample(second, second, second <= 60 ? second / 600.0 : 0.1 + (second - 60) / 100.0, 0));
    }
    assertEquals(50, samples.secondsLeft().orElseThrow(), 1e-6);
  }

  @Test
  void hasNoEstimateForAnUnknownShare() {
    Samples samples = new Samples();
    samples.add(sample(0, 0, -1, 0));
    samples.add(sample(1, 10, -1, 0));
    assertEquals(OptionalDouble.empty(), samples.secondsLeft());
    Samples stuck = new Samples();
    stuck.add(sample(0, 0, 0.5, 0));
    stuck.add(sample(1, 0, 0.5, 0));
    assertEquals(OptionalDouble.empty(), stuck.secondsLeft());
    stuck.add(sample(2, 0, 0.500_001, 0));
    assertEquals(OptionalDouble.empty(), stuck.secondsLeft(), "lines were rejected, no more");
  }

  static Sample sample(double seconds, long points, double share, double callMsMax) {
    return new Sample(
        seconds,
        points,
        points,
        points / 10,
        points,
        0,
        0,
        share,
        1,
        1,
        2,
        callMsMax,
        seconds,
        1 << 20);
  }
}
