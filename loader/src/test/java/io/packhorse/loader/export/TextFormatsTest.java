package io.packhorse.loader.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TextFormatsTest {
  private static final long HOUR_S = 1_704_067_200;

  private final PointBlock points = new PointBlock();

  TextFormatsTest() {
    points.addLong(0, -8);
    points.addDouble(1500, Double.doubleToRawLongBits(2.5));
  }

  @Test
  void jsonLinesAreWhatApiPutTakes() throws Exception {
    SeriesName series = new SeriesName("m\"x", new TreeMap<>(Map.of("k", "a\\b", "l", "\t")));
    assertEquals(
        """
        {"metric":"m\\"x","timestamp":1704067200,"value":-8,"tags":{"k":"a\\\\b","l":"\\u0009"}}
        {"metric":"m\\"x","timestamp":1704067201500,"value":2.5,"tags":{"k":"a\\\\b","l":"\\u0009"}}
        """,
        text(new JsonLines(), series));
  }

  @Test
  void theLastWordOfAMetricIsTheField() throws Exception {
    assertEquals(
        """
        sys.cpu,host=web\\ 1\\,a user=-8i 1704067200000000000
        sys.cpu,host=web\\ 1\\,a user=2.5 1704067201500000000
        """,
        text(new LineProtocol(), SeriesName.of("sys.cpu.user", "host", "web 1,a")));
    assertEquals(
        "m,k\\=l=v value=-8i 1704067200000000000\n",
        text(new LineProtocol(), SeriesName.of("m", "k=l", "v")).lines().findFirst().orElse("")
            + "\n");
    assertThrows(
        UnwritableException.class, () -> new LineProtocol().of(SeriesName.of("m", "k", "a\\b")));
  }

  @Test
  void partsOfAStreamAreWholeLines() throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    ExportTarget target = new StreamTarget(new ImportLines(), stream);
    try (ExportPart one = target.open(0);
        ExportPart other = target.open(1)) {
      for (int i = 0; i < 20_000; i++) {
        one.take(SeriesName.of("one", "k", "v"), HOUR_S, points, 0, 2);
        other.take(SeriesName.of("other", "k", "v"), HOUR_S, points, 0, 2);
      }
      one.finish();
      other.finish();
      assertEquals(stream.size(), one.bytes() + other.bytes());
    }
    Map<String, Integer> lines = new TreeMap<>();
    stream.toString(StandardCharsets.UTF_8).lines().forEach(l -> lines.merge(l, 1, Integer::sum));
    assertEquals(
        Map.of(
            "one 1704067200 -8 k=v", 20_000,
            "one 1704067201500 2.5 k=v", 20_000,
            "other 1704067200 -8 k=v", 20_000,
            "other 1704067201500 2.5 k=v", 20_000),
        lines);
  }

  private String text(TextFormat format, SeriesName series) throws UnwritableException {
    ByteWriter into = new ByteWriter(0);
    format.of(series).write(HOUR_S * 1000, points, 0, 2, into);
    return new String(into.toByteArray(), StandardCharsets.UTF_8);
  }
}
