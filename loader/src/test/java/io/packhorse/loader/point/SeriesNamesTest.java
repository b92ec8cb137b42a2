package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.schema.uid.UidRows;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesNamesTest {
  @Test
  void numbersSeriesInOrderOfFirstSight() {
    SeriesNames names = new SeriesNames();
    assertEquals(0, names.intern(SeriesName.of("m", "host", "a")));
    assertEquals(1, names.intern(SeriesName.of("m", "host", "b")));
    assertEquals(0, names.intern(SeriesName.of("m", "host", "a")));
    assertEquals(2, names.intern(SeriesName.of("n", "host", "a")));
    assertEquals(3, names.size());
    assertEquals(SeriesName.of("m", "host", "b"), names.get(1));
  }

  @Test
  void theOrderOfTagsMakesNoDifference() {
    TreeMap<String, String> backwards = new TreeMap<>(java.util.Comparator.reverseOrder());
    backwards.putAll(Map.of("a", "1", "b", "2"));
    SeriesName one = new SeriesName("m", new TreeMap<>(Map.of("b", "2", "a", "1")));
    SeriesName other = new SeriesName("m", backwards);
    assertEquals(one, other);
    SeriesNames names = new SeriesNames();
    assertEquals(names.intern(one), names.intern(other));
  }

  @Test
  void aNameDoesNotFollowTheMapItWasMadeFrom() {
    TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "a"));
    SeriesName name = new SeriesName("m", tags);
    tags.put("host", "b");
    assertEquals(SeriesName.of("m", "host", "a"), name);
  }

  @Test
  void keepsEveryNumberWhileItGrows() {
    SeriesNames names = new SeriesNames();
    for (int i = 0; i < 5000; i++) {
      assertEquals(i, names.intern(SeriesName.of("m" + i % 7, "host", "h" + i)));
    }
    for (int i = 0; i < 5000; i++) {
      assertEquals(i, names.intern(SeriesName.of("m" + i % 7, "host", "h" + i)));
      assertEquals(SeriesName.of("m" + i % 7, "host", "h" + i), names.get(i));
    }
    assertEquals(5000, names.size());
  }

  @Test
  void seriesOfEqualTagsShareTheirNumber() {
    SeriesNames names = new SeriesNames();
    int first = names.intern(new SeriesName("m", new TreeMap<>(Map.of("a", "x", "b", "y"))));
    int second = names.intern(new SeriesName("n", new TreeMap<>(Map.of("a", "x", "b", "y"))));
    int swapped = names.intern(new SeriesName("n", new TreeMap<>(Map.of("a", "y", "b", "x"))));
    int fewer = names.intern(new SeriesName("n", new TreeMap<>(Map.of("a", "x"))));
    int otherKey = names.intern(new SeriesName("n", new TreeMap<>(Map.of("c", "x"))));
    assertEquals(names.tagSet(first), names.tagSet(second));
    assertEquals(
        4, IntStream.of(first, swapped, fewer, otherKey).map(names::tagSet).distinct().count());
    assertEquals(2, names.metrics());
    assertEquals(3, names.tagKeyLists());
    assertEquals(2, names.tagValues());
    assertEquals(List.of("a", "b"), names.tagKeyList(names.tagKeys(names.tagSet(first))));
    assertEquals("y", names.tagValueName(names.tagValue(names.tagSet(first), 1)));
    for (int id : new int[] {first, second, swapped, fewer, otherKey}) {
      assertEquals(id, names.intern(names.get(id)));
    }
  }

  @Test
  void keepsNamesOfAnyLengthAndLetters() {
    SeriesNames names = new SeriesNames();
    String longest = "\u00e9".repeat(UidRows.NAME_LENGTH_MAX);
    for (int i = 0; i < 5; i++) {
      names.intern(SeriesName.of("m\u00fc", "k\u20ac" + i, longest.substring(i)));
    }
    for (int i = 0; i < 5; i++) {
      assertEquals(SeriesName.of("m\u00fc", "k\u20ac" + i, longest.substring(i)), names.get(i));
    }
    SeriesName tooLong = SeriesName.of("m", "host", "a".repeat(1 << 16));
    assertThrows(IllegalArgumentException.class, () -> names.intern(tooLong));
    assertEquals(5, names.size());
  }

  /** A name that was refused, or could not be kept, leaves the one asked for next as it is. */
  @Test
  void aRefusedNameIsNotMistakenForTheNextOne() {
    SeriesNames names = new SeriesNames();
    names.intern(SeriesName.of("m", "host", "a"));
    SeriesName tooLong = SeriesName.of("m", "host", "a".repeat(1 << 16));
    assertThrows(IllegalArgumentException.class, () -> names.intern(tooLong));
    assertThrows(IllegalArgumentException.class, () -> names.intern(tooLong));
    names.refuseMore();
    SeriesName later = SeriesName.of("m", "host", "b");
    assertThrows(CancellationException.class, () -> names.intern(later));
    assertThrows(CancellationException.class, () -> names.intern(later));
    assertEquals(1, names.tagValues());
  }

  @Test
  void onceRefusedNewSeriesAreNotTaken() {
    SeriesNames names = new SeriesNames();
    names.intern(SeriesName.of("m", "host", "a"));
    names.refuseMore();
    assertEquals(0, names.intern(SeriesName.of("m", "host", "a")));
    SeriesName later = SeriesName.of("m", "host", "b");
    assertThrows(CancellationException.class, () -> names.intern(later));
    assertEquals(1, names.size());
  }

  @Test
  void onceFrozenNamesAreKeptAndNotLookedUp() {
    SeriesNames names = new SeriesNames();
    SeriesName name = SeriesName.of("m", "host", "a");
    names.intern(name);
    names.freeze();
    assertEquals(name, names.get(0));
    assertThrows(IllegalStateException.class, () -> names.intern(name));
  }

  @Test
  void printsAsOpenTsdbDoes() {
    TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "a", "cpu", "0"));
    assertEquals("sys.cpu{cpu=0,host=a}", new SeriesName("sys.cpu", tags).toString());
  }
}
