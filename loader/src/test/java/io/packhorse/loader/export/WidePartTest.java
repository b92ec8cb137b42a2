package io.packhorse.loader.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WidePartTest {
  private static final long HOUR_S = 1_704_067_200;
  private static final SeriesName A = SeriesName.of("m", "host", "a");
  private static final SeriesName B =
      new SeriesName("m", new TreeMap<>(Map.of("host", "b", "rack", "r")));
  private static final SeriesName C = SeriesName.of("n", "host", "a");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void seriesOfATimeAreARow() throws Exception {
    try (WidePart part = new WidePart(List.of(A, B, C), StreamTarget.output(out))) {
      part.begin(false);
      part.take(C, HOUR_S, longs(0, 7, 3_599_999, 8), 0, 2);
      part.take(A, HOUR_S, doubles(0, 1.5, 1_000, -2, 2_000, 3), 0, 3);
      part.take(B, HOUR_S, doubles(1_000, 4, 2_000, 5, 3_000, 6), 0, 2);
      part.write(HOUR_S * 1000);
      part.begin(false);
      part.take(B, HOUR_S + 3600, longs(0, Long.MIN_VALUE), 0, 1);
      part.write((HOUR_S + 3600) * 1000);
      part.finish();
      assertEquals(out.size(), part.bytes());
    }
    assertEquals(
        """
        time,m{host=a},"m{host=b, rack=r}",n{host=a}
        1704067200000,1.5,,7
        1704067201000,-2.0,4.0,
        1704067202000,3.0,5.0,
        1704070799999,,,8
        1704070800000,,-9223372036854775808,
        """,
        text());
  }

  @Test
  void pointsThatWereNotWrittenAreForgotten() throws Exception {
    try (WidePart part = new WidePart(List.of(A), StreamTarget.output(out))) {
      part.begin(false);
      part.take(A, HOUR_S, longs(0, 1), 0, 1);
      part.begin(true);
      part.take(A, HOUR_S, longs(0, 2), 0, 1);
      part.write(HOUR_S * 1000);
      part.finish();
    }
    assertEquals("", text(), "no row, no header");
  }

  @Test
  void moreThanMemoryIsMeantForIsRefused() throws Exception {
    PointBlock many = new PointBlock();
    for (int i = 0; i < 1_200_000; i++) {
      many.addLong(i, i);
    }
    try (WidePart part = new WidePart(List.of(A, B, C), StreamTarget.output(out))) {
      part.begin(false);
      part.take(A, HOUR_S, many, 0, many.count());
      assertThrows(WidePart.FullException.class, () -> part.take(B, HOUR_S, many, 0, many.count()));
      part.begin(true);
      part.take(A, HOUR_S, many, 0, many.count());
      part.take(B, HOUR_S, many, 0, many.count());
      part.begin(false);
      part.take(A, HOUR_S, many, 600_000, 600_002);
      part.take(B, HOUR_S, many, 600_001, 600_002);
      part.write(HOUR_S * 1000);
      part.finish();
    }
    assertEquals(
        """
        time,m{host=a},"m{host=b, rack=r}",n{host=a}
        1704067800000,600000,,
        1704067800001,600001,600001,
        """,
        text());
  }

  @Test
  void aSeriesWithoutAColumnIsRefused() throws Exception {
    try (WidePart part = new WidePart(List.of(A), StreamTarget.output(out))) {
      part.begin(false);
      assertThrows(UnwritableException.class, () -> part.take(B, HOUR_S, longs(0, 1), 0, 1));
    }
  }

  /** As many columns as there can be, and a value in the first and in the last. */
  @Test
  void allColumnsFit() throws Exception {
    List<SeriesName> series =
        IntStream.range(0, WidePart.COLUMNS_MAX)
            .mapToObj(i -> SeriesName.of("m", "host", "h" + i))
            .toList();
    try (WidePart part = new WidePart(series, StreamTarget.output(out))) {
      part.begin(false);
      part.take(series.get(WidePart.COLUMNS_MAX - 1), HOUR_S, longs(5, 2), 0, 1);
      part.take(series.get(0), HOUR_S, longs(5, 1), 0, 1);
      part.write(HOUR_S * 1000);
      part.finish();
    }
    assertEquals(
        "1704067200005,1" + ",".repeat(WidePart.COLUMNS_MAX - 1) + "2",
        text().lines().skip(1).findFirst().orElseThrow());
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static PointBlock longs(long... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.addLong((int) offsetsAndValues[i], offsetsAndValues[i + 1]);
    }
    return block;
  }

  private static PointBlock doubles(double... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.addDouble(
          (int) offsetsAndValues[i], Double.doubleToRawLongBits(offsetsAndValues[i + 1]));
    }
    return block;
  }
}
