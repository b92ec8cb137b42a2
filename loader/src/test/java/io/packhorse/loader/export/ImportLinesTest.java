package io.packhorse.loader.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImportLinesTest {
  private static final long HOUR_MS = 1_704_067_200_000L;

  private final ImportLines format = new ImportLines();

  @Test
  void aLineHasMetricTimeValueAndTags() throws Exception {
    PointBlock points = new PointBlock();
    points.addLong(0, 7);
    points.addLong(1000, -8);
    points.addDouble(1500, Double.doubleToRawLongBits(2.5));
    points.addLong(2000, 9);
    SeriesName series =
        new SeriesName("sys.cpu", new TreeMap<>(Map.of("host", "w\u00e9b", "cpu", "0")));
    assertEquals(
        """
        sys.cpu 1704067201 -8 cpu=0 host=w\u00e9b
        sys.cpu 1704067201500 2.5 cpu=0 host=w\u00e9b
        """,
        text(series, HOUR_MS, points, 1, 3));
  }

  /** OpenTSDB reads smaller numbers as seconds. */
  @Test
  void millisecondsOfEarly1970HaveADot() throws Exception {
    PointBlock points = new PointBlock();
    points.addLong(7, 1);
    points.addLong(1000, 2);
    SeriesName series = SeriesName.of("m", "k", "v");
    assertEquals("m 3600.007 1 k=v\nm 3601 2 k=v\n", text(series, 3_600_000, points, 0, 2));
  }

  @Test
  void namesThatALineCannotHoldAreRefused() {
    for (String name : new String[] {"a b", "a=b", "a\n"}) {
      assertThrows(
          UnwritableException.class,
          () -> format.of(SeriesName.of("m", "k", name)),
          "'" + name + "'");
    }
  }

  private String text(SeriesName series, long baseMs, PointBlock points, int from, int to)
      throws UnwritableException {
    ByteWriter into = new ByteWriter(0);
    format.of(series).write(baseMs, points, from, to, into);
    return new String(into.toByteArray(), StandardCharsets.UTF_8);
  }
}
