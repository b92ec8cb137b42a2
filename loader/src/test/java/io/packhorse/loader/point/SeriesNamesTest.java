package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
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
  void printsAsOpenTsdbDoes() {
    TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "a", "cpu", "0"));
    assertEquals("sys.cpu{cpu=0,host=a}", new SeriesName("sys.cpu", tags).toString());
  }
}
