package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Queries over packed rows against the published classes over compacted columns of the same points:
 * equal points, bit by bit, whatever the shape.
 */
final class PackedQueryTest {
  private static final String[] AGGREGATORS = {
    "sum",
    "sum",
    "sum",
    "avg",
    "min",
    "max",
    "count",
    "zimsum",
    "mimmin",
    "mimmax",
    "first",
    "last",
    "diff",
    "dev",
    "median",
    "mult",
    "pfsum",
    "squareSum",
    "p99",
    "none"
  };
  private static final String[] FUNCTIONS = {
    "sum",
    "avg",
    "min",
    "max",
    "count",
    "zimsum",
    "mimmin",
    "mimmax",
    "first",
    "last",
    "diff",
    "pfsum",
    "dev",
    "median",
    "p95",
    "squareSum",
    "mult"
  };
  private static final String[] INTERVALS = {
    "1s", "500ms", "10s", "1m", "1m", "7m", "10m", "1h", "1h", "90m", "2h", "5h", "1d", "0all"
  };
  private static final String[] CALENDARS = {
    "1h", "2h", "5h", "6h", "1d", "1d", "2d", "1w", "1n", "1y"
  };
  private static final String[] SHORT_CALENDARS = {"500ms", "1m", "5m", "7m", "1h", "90m"};
  private static final String[] ZONES = {
    "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo", "Australia/Lord_Howe", "UTC"
  };

  /** Hours between hours with points: days, months, the changes of clocks. */
  private static final int[] APART = {7, 23, 31 * 24, 73 * 24};

  private static final String[] FILLS = {"", "", "", "-none", "-zero", "-nan", "-null"};

  private final Function<Map<String, Object>, List<String>> stock = StockLoader.harness();
  private final QueryHarness patched = new QueryHarness();

  @Test
  void theOtherSideIsThePublishedOne() {
    assertTrue(patched.isPatched());
    assertFalse(stock.getClass() == patched.getClass());
    assertTrue(
        stock.getClass().getResource("Span.class").toString().contains("opentsdb-2.4.1.jar"));
  }

  @Test
  void plainAggregationIsStock() {
    compare(1, 600, Shape.PLAIN);
  }

  @Test
  void downsamplingIsStock() {
    compare(2, 1000, Shape.DOWNSAMPLED);
  }

  @Test
  void calendarsAreStock() {
    compare(4, 250, Shape.CALENDAR);
  }

  @Test
  void ratesAreStock() {
    compare(3, 300, Shape.RATE);
  }

  @Test
  void hoursOfOneStepAreTakenColumnByColumnAndTheOthersByStock() {
    TSDB tsdb = OfflineTsdb.create();
    List<Span> spans = new ArrayList<>();
    for (int series = 0; series < 3; series++) {
      Span span = new Span(tsdb);
      for (int hour = 0; hour < 3; hour++) {
        // In the second hour the last series has other times.
        int first = series == 2 && hour == 1 ? 500 : 0;
        span.addRow(RandomRows.packedHour(series, hour, first));
      }
      spans.add(span);
    }
    SeekableView points =
        HourAggregation.of(
            spans,
            RandomRows.BASE_S * 1000,
            (RandomRows.BASE_S + 10_800) * 1000,
            Aggregators.SUM,
            null,
            false,
            null);
    assertNotNull(points);
    int byColumn = 0;
    int byStock = 0;
    while (points.hasNext()) {
      if (points.next() == points) {
        byColumn++;
      } else {
        byStock++;
      }
    }
    assertEquals(720, byColumn);
    assertEquals(720, byStock);
  }

  private enum Shape {
    PLAIN,
    DOWNSAMPLED,
    CALENDAR,
    RATE
  }

  private void compare(long seed, int rounds, Shape shape) {
    for (int round = 0; round < rounds; round++) {
      Random random = new Random(seed * 1_000_000 + round);
      RandomRows rows =
          shape == Shape.CALENDAR && random.nextInt(4) > 0
              ? new RandomRows(random, APART[random.nextInt(APART.length)])
              : new RandomRows(random);
      Map<String, Object> query = query(random, rows, shape);
      query.put("rows", rows.stock());
      List<String> expected = stock.apply(query);
      query.put("rows", rows.packed());
      List<String> found = patched.apply(query);
      query.remove("rows");
      if (!expected.equals(found)) {
        String where = "seed=" + seed + ", round=" + round + ", " + query + ": ";
        int line = 0;
        while (line < Math.min(expected.size(), found.size())
            && expected.get(line).equals(found.get(line))) {
          line++;
        }
        assertEquals(
            String.join("\n", tail(expected, line)), String.join("\n", tail(found, line)), where);
      }
    }
  }

  private static List<String> tail(List<String> lines, int from) {
    return lines.subList(Math.max(0, from - 1), Math.min(lines.size(), from + 3));
  }

  private static Map<String, Object> query(Random random, RandomRows rows, Shape shape) {
    Map<String, Object> query = new HashMap<>();
    long startMs = RandomRows.BASE_S * 1000;
    long endMs = startMs + rows.hours() * 3_600_000L;
    switch (random.nextInt(3)) {
      case 0 -> {
        startMs += random.nextInt(3_600_000);
        endMs -= random.nextInt(3_600_000);
      }
      case 1 -> {
        startMs += random.nextInt(3600) * 1000L;
        endMs -= random.nextInt(3600) * 1000L;
      }
      default -> {
        // Whole hours, as scans of a TSD have them.
      }
    }
    query.put("start", startMs);
    query.put("end", Math.max(endMs, startMs + 1));
    query.put("aggregator", pick(random, AGGREGATORS));
    if (shape == Shape.RATE) {
      query.put(
          "rate",
          new long[] {
            random.nextInt(2), random.nextInt(2), random.nextInt(3) * 100L, Long.MAX_VALUE
          });
    }
    if (shape == Shape.DOWNSAMPLED || (shape == Shape.RATE && random.nextBoolean())) {
      query.put(
          "downsample",
          pick(random, INTERVALS) + "-" + pick(random, FUNCTIONS) + pick(random, FILLS));
      if (random.nextInt(8) == 0) {
        query.put("timezone", "Europe/Berlin");
      }
      if (random.nextBoolean()) {
        query.put("keepRows", true);
      }
    }
    if (shape == Shape.CALENDAR) {
      query.put(
          "downsample",
          pick(random, rows.hours() > 5 ? CALENDARS : SHORT_CALENDARS)
              + "c-"
              + pick(random, FUNCTIONS)
              + pick(random, FILLS));
      query.put("timezone", pick(random, ZONES));
      if (random.nextInt(4) == 0) {
        query.put("keepRows", true);
      }
    }
    return query;
  }

  private static String pick(Random random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}
