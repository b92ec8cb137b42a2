package io.packhorse.loader.source.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ByteKeyIndexTest {
  private final ByteKeyIndex series = new ByteKeyIndex();

  @Test
  void findsEachOfManySpellings() {
    int count = 20_000;
    for (int id = 0; id < count; id++) {
      assertEquals(ByteKeyIndex.UNKNOWN, find("metric", "host=" + id));
      add("metric", "host=" + id, id);
    }
    for (int id = 0; id < count; id++) {
      assertEquals(id, find("metric", "host=" + id));
    }
  }

  @Test
  void hasRoomForMoreSpellingsWhereThereAreMoreSeries() {
    int room = 1 << 18;
    for (int i = 0; i < room; i++) {
      assertTrue(series.hasRoom(0));
      add("metric", "a=" + i, 7);
      add("metric", "b=" + i, SeriesReader.LEFT_OUT);
    }
    assertFalse(series.hasRoom(0));
    assertTrue(series.hasRoom(1));
  }

  @Test
  void tellsWordsApartWhereverTheyAreCut() {
    add("m", "mm a=b", 0);
    add("mm", "m a=b", 1);
    add("mmm", "a=b", 2);
    add("m", "m a=b", 3);
    assertEquals(0, find("m", "mm a=b"));
    assertEquals(1, find("mm", "m a=b"));
    assertEquals(2, find("mmm", "a=b"));
    assertEquals(3, find("m", "m a=b"));
    assertEquals(ByteKeyIndex.UNKNOWN, find("mm", "a=b"));
  }

  @Test
  void looksAtNoByteBehindTheWords() {
    for (int length = 1; length <= 40; length++) {
      String metric = "m".repeat(length);
      String tags = "t".repeat(41 - length);
      add(metric, tags, length);
      byte[] other = (metric + "#" + tags + "########").getBytes(StandardCharsets.US_ASCII);
      assertEquals(length, series.find(other, 0, length, length + 1, 42));
    }
  }

  private int find(String metric, String tags) {
    byte[] line = line(metric, tags);
    int space = metric.length();
    return series.find(line, 0, space, space + 1, line.length - ByteKeyIndex.PADDING);
  }

  private void add(String metric, String tags, int id) {
    byte[] line = line(metric, tags);
    int space = metric.length();
    series.add(line, 0, space, space + 1, line.length - ByteKeyIndex.PADDING, id);
  }

  private static byte[] line(String metric, String tags) {
    return (metric + ' ' + tags + "\0".repeat(ByteKeyIndex.PADDING))
        .getBytes(StandardCharsets.US_ASCII);
  }
}
