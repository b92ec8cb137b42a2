package io.packhorse.loader.source.generated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WalkSpecTest {
  private static final long START = 1_704_067_200;

  @Test
  void countsHoursAndPointsOfAFullWeek() {
    WalkSpec week = new WalkSpec("m", 128, 1000, START, 7 * 86_400, 1);
    assertEquals(3600, week.pointsPerHour());
    assertEquals(168, week.hours());
    assertEquals(3600, week.pointsInHour(167));
    assertEquals(77_414_400, week.totalPoints());
    assertEquals(START + 7 * 86_400, week.endSeconds());
  }

  @Test
  void theLastHourMayBeShort() {
    WalkSpec spec = new WalkSpec("m", 1, 60_000, START, 61, 1);
    assertEquals(2, spec.hours());
    assertEquals(60, spec.pointsInHour(0));
    assertEquals(1, spec.pointsInHour(1));
    assertEquals(START + 3600, spec.baseSeconds(1));
    assertEquals(START + 7200, spec.endSeconds());
    assertEquals(1, new WalkSpec("m", 1, 3_600_000, START, 1, 1).hours());
  }

  @Test
  void valuesAreThoseOfTheWalkInThatHour() {
    WalkSpec spec = new WalkSpec("m", 2, 60_000, START, 90, 1);
    long[] values = new long[100];
    assertEquals(30, spec.values(1, 1, values, 10));
    long[] expected = new long[30];
    new ReferenceWalk(1).hour(1, START / 3600 + 1, 30, expected, 0);
    assertArrayEquals(expected, Arrays.copyOfRange(values, 10, 40));
  }

  @Test
  void namesSensorsWithThreeDigitsOrMore() {
    WalkSpec spec = new WalkSpec("reference.walk", 2000, 1000, START, 1, 1);
    assertEquals("reference.walk{sensor=s007}", spec.seriesName(7).toString());
    assertEquals("s999", WalkSpec.sensorName(999));
    assertEquals("s1000", WalkSpec.sensorName(1000));
  }

  @Test
  void partsAreTheWholeDealtOut() {
    WalkSpec whole = new WalkSpec("m", 10, 60_000, START, 90, 7);
    int seen = 0;
    long points = 0;
    for (int number = 1; number <= 4; number++) {
      WalkSpec part = whole.part(number, 4);
      points += part.totalPoints();
      for (int series = 0; series < part.sensors(); series++) {
        int sensor = number - 1 + 4 * series;
        assertEquals(whole.seriesName(sensor), part.seriesName(series));
        long[] expected = new long[60];
        long[] values = new long[60];
        assertEquals(30, whole.values(sensor, 1, expected, 0));
        assertEquals(30, part.values(series, 1, values, 0));
        assertArrayEquals(expected, values);
        seen++;
      }
    }
    assertEquals(10, seen);
    assertEquals(whole.totalPoints(), points);
    assertEquals(whole, whole.part(1, 1));
    assertThrows(IllegalArgumentException.class, () -> whole.part(1, 11));
  }

  @Test
  void rejectsNoSensors() {
    rejects("sensors=0", 0, 1000, START, 1);
  }

  @Test
  void rejectsNoPoints() {
    rejects("points=0", 1, 1000, START, 0);
  }

  @Test
  void rejectsAnIntervalThatDoesNotDivideTheHour() {
    rejects("intervalMs=0", 1, 0, START, 1);
    rejects("intervalMs=-1000", 1, -1000, START, 1);
    rejects("intervalMs=7000", 1, 7000, START, 1);
    rejects("intervalMs=7200000", 1, 7_200_000, START, 1);
  }

  @Test
  void rejectsAStartOutsideAFullHour() {
    rejects("startSeconds=1704067201", 1, 1000, START + 1, 1);
    rejects("startSeconds=-3600", 1, 1000, -3600, 1);
  }

  @Test
  void rejectsPointsThatARowKeyCannotHold() {
    long lastHour = 4_294_965_600L;
    long left = 0xffff_ffffL - lastHour + 1;
    assertEquals(left, new WalkSpec("m", 1, 1000, lastHour, left, 1).points());
    rejects("must end before 2106", 1, 1000, lastHour, left + 1);
    rejects("must end before 2106", 1, 1000, lastHour + 3600, 1);
    rejects("must end before 2106", 1, 1000, START, Long.MAX_VALUE);
  }

  private static void rejects(
      String because, int sensors, int intervalMs, long startSeconds, long points) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new WalkSpec("m", sensors, intervalMs, startSeconds, points, 1));
    assertTrue(String.valueOf(refused.getMessage()).contains(because), refused.getMessage());
  }
}
