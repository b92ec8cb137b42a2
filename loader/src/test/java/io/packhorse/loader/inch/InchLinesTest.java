package io.packhorse.loader.inch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.inch.InchLines.Times;
import io.packhorse.loader.inch.InchLines.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InchLinesTest {
  @Test
  void aLineIsThatOfInch() {
    InchLines lines =
        new InchLines(
            1, List.of(10, 10, 10), 100, 1, "v", false, Values.ZERO, Optional.empty(), 5000);
    assertEquals(1000, lines.series());
    assertEquals(100_000, lines.points());
    assertEquals(20, lines.batches());
    List<String> all = all(lines);
    assertEquals(100_000, all.size());
    assertEquals("m0,tag0=value0,tag1=value0,tag2=value0 v0=0", all.get(0));
    assertEquals("m0,tag0=value3,tag1=value2,tag2=value1 v0=0", all.get(123));
  }

  /** Also where the measurements have a factor in common with the tags. */
  @Test
  void eachSeriesHasOnePointARound() {
    Times times = new Times(1_000_000, 250_000, 1_000_000);
    InchLines lines =
        new InchLines(2, List.of(2, 3), 4, 3, "f", false, Values.RANDOM, Optional.of(times), 7);
    List<String> all = all(lines);
    assertEquals(48, all.size());
    assertEquals(7, lines.batches());
    assertEquals(6, lines.points(6));
    Map<String, Set<String>> values = new HashMap<>();
    for (int round = 0; round < 4; round++) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < 12; i++) {
        String[] parts = all.get(round * 12 + i).split(" ", -1);
        assertTrue(names.add(parts[0]), parts[0]);
        assertEquals("" + (1_000_000 + (round * 12 + i) * 250_000) / 1_000_000, parts[2]);
        assertTrue(parts[1].matches("f0=\\d{1,4},f1=\\d{1,4},f2=\\d{1,4}"), parts[1]);
        values.computeIfAbsent(parts[0], name -> new HashSet<>()).add(parts[1]);
      }
      assertEquals(12, names.size());
    }
    values.forEach((name, of) -> assertEquals(4, of.size(), name));
  }

  @Test
  void fieldsMayHaveLinesOfTheirOwn() {
    InchLines lines =
        new InchLines(1, List.of(2), 1, 2, "v", true, Values.ZERO, Optional.empty(), 10)
            .at(new Times(5, 1, 1));
    assertEquals(
        List.of(
            "m0,tag0=value0 v0=0 5",
            "m0,tag0=value0 v1=0 5",
            "m0,tag0=value1 v0=0 6",
            "m0,tag0=value1 v1=0 6"),
        all(lines));
  }

  @Test
  void valuesOfAWalkGoOnInSmallSteps() {
    InchLines lines =
        new InchLines(1, List.of(1), 600, 1, "v", false, Values.WALK, Optional.empty(), 1000);
    Set<Long> different = new HashSet<>();
    long before = -1;
    for (String line : all(lines)) {
      long value = Long.parseLong(line.substring(line.indexOf('=', line.indexOf(' ')) + 1));
      assertTrue(value >= 0 && value <= 9999, line);
      assertTrue(before < 0 || Math.abs(value - before) <= 200, line + " after " + before);
      different.add(value);
      before = value;
    }
    assertTrue(different.size() > 100, different.toString());
  }

  @Test
  void whatCannotBeWrittenIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> shape(0, List.of(1), 1));
    assertThrows(IllegalArgumentException.class, () -> shape(1, List.of(), 1));
    assertThrows(IllegalArgumentException.class, () -> shape(1, List.of(3, 0), 1));
    assertThrows(
        ArithmeticException.class, () -> shape(1 << 30, List.of(1 << 30, 1 << 30), 1 << 30));
  }

  private static InchLines shape(int measurements, List<Integer> tags, int points) {
    return new InchLines(
        measurements, tags, points, 1, "v", false, Values.WALK, Optional.empty(), 1);
  }

  private static List<String> all(InchLines lines) {
    List<String> all = new ArrayList<>();
    for (long batch = 0; batch < lines.batches(); batch++) {
      new String(lines.body(batch), StandardCharsets.US_ASCII).lines().forEach(all::add);
    }
    return all;
  }
}
