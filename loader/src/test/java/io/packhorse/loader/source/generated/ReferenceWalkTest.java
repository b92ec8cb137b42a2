package io.packhorse.loader.source.generated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the generator to docs/reference-walk.md. */
class ReferenceWalkTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "reference-walk.md");

  @Test
  void startsAsWrittenDown() {
    assertArrayEquals(
        new long[] {10489, 10508, 10535, 10576, 10527}, hour(new ReferenceWalk(1), 0, 473352, 5));
    assertEquals(9744, hour(new ReferenceWalk(1), 0, 473352, 3600)[3599]);
  }

  @Test
  void givesTheValuesOfTheDocument() throws IOException {
    Pattern row = Pattern.compile("\\| (-?\\d+) \\| (\\d+) \\| (\\d+) \\| ([-\\d ]+) \\|");
    int rows = 0;
    for (Matcher match = row.matcher(Files.readString(DOCUMENT)); match.find(); rows++) {
      long[] expected = Stream.of(match.group(4).split(" ")).mapToLong(Long::parseLong).toArray();
      long seed = Long.parseLong(match.group(1));
      int series = Integer.parseInt(match.group(2));
      long hour = Long.parseLong(match.group(3));
      assertArrayEquals(
          expected, hour(new ReferenceWalk(seed), series, hour, expected.length), match.group());
      assertArrayEquals(expected, byDefinition(seed, series, hour, expected.length), match.group());
    }
    assertEquals(4, rows);
  }

  @Test
  void equalsTheDefinitionForSeedsSeriesAndHoursOfAnySize() {
    SplittableRandom random = new SplittableRandom(20240101);
    for (int i = 0; i < 60; i++) {
      long seed = i == 0 ? Long.MIN_VALUE : random.nextLong();
      int series = random.nextInt(1 << random.nextInt(1, 31));
      long hour = random.nextInt(1_200_000);
      int count = 1 + random.nextInt(200);
      assertArrayEquals(
          byDefinition(seed, series, hour, count),
          hour(new ReferenceWalk(seed), series, hour, count),
          "seed " + seed + ", series " + series + ", hour " + hour + ", count " + count);
    }
  }

  @Test
  void fewerPointsAreTheFirstOfMore() {
    ReferenceWalk walk = new ReferenceWalk(99);
    long[] all = hour(walk, 3, 473352, 3600);
    for (int count : new int[] {1, 2, 3, 4, 5, 60, 3599}) {
      assertArrayEquals(Arrays.copyOf(all, count), hour(walk, 3, 473352, count));
    }
  }

  @Test
  void writesOnlyTheStretchAskedFor() {
    long[] values = new long[10];
    Arrays.fill(values, Long.MAX_VALUE);
    new ReferenceWalk(1).hour(0, 473352, 4, values, 3);
    assertEquals(Long.MAX_VALUE, values[2]);
    assertEquals(10489, values[3]);
    assertEquals(Long.MAX_VALUE, values[7]);
  }

  @Test
  void stepsAreUniformFromMinusFiftyToFifty() {
    long[] seen = new long[2 * ReferenceWalk.STEP_MAX + 1];
    long[] pairs = new long[4];
    ReferenceWalk walk = new ReferenceWalk(7);
    long steps = 0;
    for (int hour = 0; hour < 280; hour++) {
      long[] values = hour(walk, hour % 16, 473352 + hour, 3600);
      long before = 0;
      for (int i = 1; i < values.length; i++) {
        long step = values[i] - values[i - 1];
        assertTrue(step >= -50 && step <= 50, "step " + step);
        seen[(int) step + 50]++;
        pairs[(before > 0 ? 2 : 0) + (step > 0 ? 1 : 0)]++;
        before = step;
        steps++;
      }
    }
    double expected = (double) steps / seen.length;
    double chiSquare = 0;
    for (long count : seen) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    // 100 degrees of freedom: 100 on average, above 170 once in a hundred thousand seeds.
    assertTrue(chiSquare < 170, "chi square " + chiSquare);
    assertTrue(chiSquare > 50, "too even to be chance: chi square " + chiSquare);
    double rises = 50.0 / 101;
    double bothRise = rises * rises * (double) steps;
    assertEquals(
        bothRise, (double) pairs[3], 0.01 * bothRise, "a step does not depend on the one before");
  }

  @Test
  void hoursJoinByAJump() {
    ReferenceWalk walk = new ReferenceWalk(1);
    int jumps = 0;
    long low = 0;
    long high = 0;
    for (int hour = 473352; hour < 473352 + 1000; hour++) {
      long end = hour(walk, 0, hour, 3600)[3599];
      long start = hour(walk, 0, hour + 1, 1)[0];
      assertTrue(Math.abs(start) <= 100_000, "start " + start);
      low = Math.min(low, start);
      high = Math.max(high, start);
      jumps += Math.abs(start - end) > ReferenceWalk.STEP_MAX ? 1 : 0;
    }
    assertTrue(jumps > 990, "jumps " + jumps);
    assertTrue(low < -99_000 && high > 99_000, "starts from " + low + " to " + high);
  }

  @Test
  void seriesSeedsAndHoursAreUnlikeEachOther() {
    long[] walk = hour(new ReferenceWalk(1), 0, 473352, 100);
    assertEquals(0, equalSteps(walk, hour(new ReferenceWalk(1), 1, 473352, 100)), 10);
    assertEquals(0, equalSteps(walk, hour(new ReferenceWalk(2), 0, 473352, 100)), 10);
    assertEquals(0, equalSteps(walk, hour(new ReferenceWalk(1), 0, 473353, 100)), 10);
  }

  @Test
  void entropyIsTheLogarithmOfTheSteps() {
    double bytes = Math.log(101) / Math.log(2) / 8;
    assertEquals(bytes, ReferenceWalk.ENTROPY_BYTES, 1e-4);
    assertTrue(ReferenceWalk.ENTROPY_BYTES <= bytes, "a floor must not be above the truth");
  }

  private static int equalSteps(long[] one, long[] other) {
    int equal = 0;
    for (int i = 1; i < one.length; i++) {
      equal += one[i] - one[i - 1] == other[i] - other[i - 1] ? 1 : 0;
    }
    return equal;
  }

  private static long[] hour(ReferenceWalk walk, int series, long hour, int count) {
    long[] values = new long[count];
    walk.hour(series, hour, count, values, 0);
    return values;
  }

  // The definition once more, from the document and in unbounded integers taken mod 2^64.

  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger GAMMA = new BigInteger("9E3779B97F4A7C15", 16);

  private static BigInteger mix64(BigInteger start) {
    BigInteger z = start.mod(WORD);
    z = z.xor(z.shiftRight(30)).multiply(new BigInteger("BF58476D1CE4E5B9", 16)).mod(WORD);
    z = z.xor(z.shiftRight(27)).multiply(new BigInteger("94D049BB133111EB", 16)).mod(WORD);
    return z.xor(z.shiftRight(31));
  }

  private static long[] byDefinition(long seed, long series, long hour, int count) {
    BigInteger ofSeries =
        mix64(BigInteger.valueOf(seed).add(GAMMA.multiply(BigInteger.valueOf(series))));
    BigInteger key = mix64(ofSeries.add(GAMMA.multiply(BigInteger.valueOf(hour))));
    long[] values = new long[count];
    values[0] =
        mix64(key).shiftRight(1).mod(BigInteger.valueOf(200_001)).longValueExact() - 100_000;
    for (int i = 1; i < count; i++) {
      BigInteger draw = mix64(key.add(GAMMA.multiply(BigInteger.valueOf(1 + (i - 1) / 3))));
      long field =
          draw.shiftRight(21 * ((i - 1) % 3)).mod(BigInteger.valueOf(1 << 21)).longValueExact();
      values[i] = values[i - 1] + field * 101 / (1 << 21) - 50;
    }
    return values;
  }
}
