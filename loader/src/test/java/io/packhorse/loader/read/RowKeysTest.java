package io.packhorse.loader.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RowKeysTest {
  @Test
  void rangesShareWhatIsInBoth() {
    assertShared("b", "c", range("a", "c"), range("b", "d"));
    assertShared("a", "b", range("", "b"), range("a", ""));
    assertShared("", "", range("", ""), range("", ""));
    assertShared("x", "", range("x", ""), range("c", ""));
    assertTrue(range("a", "b").intersect(range("b", "c")).isEmpty());
    assertTrue(range("c", "").intersect(range("a", "b")).isEmpty());
  }

  private static void assertShared(String start, String stop, KeyRange one, KeyRange other) {
    for (KeyRange both :
        List.of(one.intersect(other).orElseThrow(), other.intersect(one).orElseThrow())) {
      assertArrayEquals(range(start, stop).start(), both.start());
      assertArrayEquals(range(start, stop).stop(), both.stop());
    }
  }

  private static KeyRange range(String start, String stop) {
    return new KeyRange(
        start.getBytes(StandardCharsets.US_ASCII), stop.getBytes(StandardCharsets.US_ASCII));
  }

  /** UIDs of all bytes, also those that mean something in a pattern or end a line. */
  @Test
  void thePatternFindsTheSeriesWithTheTags() {
    for (long seed = 1; seed <= 2000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RowKeyLayout layout =
          new RowKeyLayout(
              new UidWidths(1 + random.nextInt(3), 1 + random.nextInt(2), 1 + random.nextInt(3)),
              random.nextBoolean() ? SaltFunction.NONE : new SaltFunction(1, 20));
      SortedMap<Long, Long> tags = new TreeMap<>();
      for (int i = random.nextInt(1, 5); i > 0; i--) {
        tags.put(random.nextLong(1, 30), random.nextLong(1, 60));
      }
      SortedMap<Long, List<Long>> wanted = new TreeMap<>();
      for (int i = random.nextInt(1, 3); i > 0; i--) {
        long key = random.nextBoolean() ? tags.firstKey() : random.nextLong(1, 30);
        long value = random.nextBoolean() ? tags.getOrDefault(key, 7L) : random.nextLong(1, 60);
        wanted.put(
            key, random.nextInt(3) == 0 ? List.of() : List.of(random.nextLong(1, 60), value));
      }
      boolean expected = wanted.entrySet().stream().allMatch(each -> matches(tags, each));
      long[] pairs =
          tags.entrySet().stream()
              .flatMap(tag -> List.of(tag.getKey(), tag.getValue()).stream())
              .mapToLong(Long::longValue)
              .toArray();
      byte[] key =
          layout.rowKey(
              Tsuid.of(layout.widths(), random.nextLong(1, 255), pairs),
              3600L * random.nextInt(1_000_000));
      assertEquals(
          expected,
          Pattern.compile(KeyPattern.of(layout, wanted))
              .matcher(new String(key, StandardCharsets.ISO_8859_1))
              .find(),
          "seed " + seed);
    }
  }

  private static boolean matches(Map<Long, Long> tags, Map.Entry<Long, List<Long>> wanted) {
    Long value = tags.get(wanted.getKey());
    return value != null && (wanted.getValue().isEmpty() || wanted.getValue().contains(value));
  }
}
