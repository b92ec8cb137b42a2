package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SummaryIntervalsTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /** 2024-01-01. */
  private static final long START_MS = 1_704_067_200_000L;

  private static final long END_MS = START_MS + 400 * DAY_MS;

  @ParameterizedTest
  @CsvSource({
    "1d, UTC, 24",
    "1d, Europe/Berlin, 1",
    "1d, America/New_York, 1",
    "1h, America/New_York, 1",
    "1w, UTC, 24",
    "1w, Europe/Berlin, 1",
    "1n, UTC, 24",
    "1n, Australia/Sydney, 1",
    "1y, UTC, 24"
  })
  void eachTimeIsInTheIntervalOfTheCalendar(String interval, String zone, int hours) {
    CalendarIntervals calendar = calendar(interval, zone);
    long from = calendar.firstInterval(START_MS);
    SummaryIntervals found = SummaryIntervals.of(calendar, from, END_MS);
    assertNotNull(found);
    assertFalse(found.isAll());
    assertTrue(found.hold(hours * HOUR_MS), "divisor: " + found.divisorMs());
    assertEquals(hours == 24, found.hold(DAY_MS));
    assertEquals(from, found.startMs(0));
    assertTrue(found.startMs(found.count()) >= END_MS);
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      long time = random.nextLong(from, END_MS);
      assertEquals(
          calendar.intervalOf(time).getTimeInMillis(), found.startMs(found.indexOf(time)), zone);
    }
    for (int i = 0; i < found.count(); i++) {
      assertEquals(i, found.indexOf(found.startMs(i)));
      assertEquals(i, found.indexOf(found.startMs(i + 1) - 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // Half an hour off UTC; two days from a first point; less than hours; more than are kept.
    "1d, Asia/Kolkata",
    "2d, UTC",
    "30m, UTC",
    "1h, UTC"
  })
  void othersAreNot(String interval, String zone) {
    CalendarIntervals calendar = calendar(interval, zone);
    long from = calendar.firstInterval(START_MS);
    assertNull(SummaryIntervals.of(calendar, from, START_MS + 4 * 366 * DAY_MS));
  }

  @Test
  void ofOneLengthTheyBeginAtItsMultiples() {
    SummaryIntervals days = SummaryIntervals.of(DAY_MS, START_MS + 5, START_MS + 3 * DAY_MS);
    assertEquals(3, days.count());
    assertEquals(START_MS, days.startMs(0));
    assertEquals(2, days.indexOf(START_MS + 3 * DAY_MS - 1));
    assertTrue(days.hold(HOUR_MS));
    assertFalse(days.hold(5 * HOUR_MS));
    SummaryIntervals all = SummaryIntervals.of(RowDownsampler.ALL_MS, START_MS, END_MS);
    assertEquals(1, all.count());
    assertEquals(0, all.indexOf(END_MS - 1));
    assertTrue(all.isAll() && all.hold(5 * HOUR_MS));
  }

  private static CalendarIntervals calendar(String interval, String zone) {
    DownsamplingSpecification specification = new DownsamplingSpecification(interval + "c-sum");
    specification.setTimezone(TimeZone.getTimeZone(zone));
    assertTrue(CalendarIntervals.fits(specification));
    return CalendarIntervals.of(specification);
  }
}
