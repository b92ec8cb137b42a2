package io.packhorse.loader.resolve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesResolverTest {
  /** Counts questions; fails when told. */
  private static final class AskedStore implements UidStore {
    private final MemoryUidStore uids = new MemoryUidStore();
    private final List<String> asked = new ArrayList<>();
    private String failOn = "";

    @Override
    public long[] findOrAssign(UidKind kind, List<String> names) throws IOException {
      for (String name : names) {
        asked.add(kind + " " + name);
        if (name.equals(failOn)) {
          throw new IOException("no answer about " + name);
        }
      }
      return uids.findOrAssign(kind, names);
    }

    @Override
    public OptionalLong find(UidKind kind, String name) {
      return uids.find(kind, name);
    }
  }

  private final AskedStore store = new AskedStore();
  private final SeriesResolver resolver = new SeriesResolver(store, UidWidths.DEFAULT);
  private final SeriesNames names = new SeriesNames();

  @Test
  void asksOnceForEachName() throws IOException {
    for (int i = 0; i < 300; i++) {
      names.intern(SeriesName.of("m" + i % 3, "host", "h" + i));
      resolver.resolveAll(names);
    }
    resolver.resolveAll(names);
    assertEquals(3 + 1 + 300, store.asked.size());
    assertEquals(store.asked.size(), store.asked.stream().distinct().count());
  }

  /** A load that is ended because its heap is full must not resolve on for minutes. */
  @Test
  void stopsWhenItIsInterrupted() throws IOException {
    names.intern(SeriesName.of("m", "host", "a"));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> resolver.resolveAll(names));
    assertTrue(Thread.interrupted());
    resolver.resolveAll(names);
    assertEquals(1, resolver.resolved());
  }

  @Test
  void makesTsuidsOfTheUids() throws IOException {
    names.intern(SeriesName.of("m", "host", "a"));
    names.intern(new SeriesName("m", new TreeMap<>(Map.of("host", "b", "cpu", "a"))));
    resolver.resolveAll(names);
    long metric = store.uids.find(UidKind.METRIC, "m").orElseThrow();
    long host = store.uids.find(UidKind.TAGK, "host").orElseThrow();
    long cpu = store.uids.find(UidKind.TAGK, "cpu").orElseThrow();
    long a = store.uids.find(UidKind.TAGV, "a").orElseThrow();
    long b = store.uids.find(UidKind.TAGV, "b").orElseThrow();
    assertEquals(Tsuid.of(UidWidths.DEFAULT, metric, host, a), resolver.tsuid(0));
    assertEquals(Tsuid.of(UidWidths.DEFAULT, metric, host, b, cpu, a), resolver.tsuid(1));
  }

  @Test
  void metricsOfTheSameTagsHaveTheirOwnTsuids() throws IOException {
    for (String host : List.of("a", "b")) {
      for (String metric : List.of("m", "n", "o")) {
        names.intern(SeriesName.of(metric, "host", host));
      }
    }
    resolver.resolveAll(names);
    long key = store.uids.find(UidKind.TAGK, "host").orElseThrow();
    for (int series : new int[] {0, 1, 2, 3, 4, 5, 0, 3, 1}) {
      long metric =
          store
              .uids
              .find(UidKind.METRIC, "mno".substring(series % 3, series % 3 + 1))
              .orElseThrow();
      long host = store.uids.find(UidKind.TAGV, series < 3 ? "a" : "b").orElseThrow();
      assertEquals(Tsuid.of(UidWidths.DEFAULT, metric, key, host), resolver.tsuid(series));
      assertEquals(metric, resolver.metricUid(series));
    }
  }

  @Test
  void oneNameInThreeKindsIsThreeQuestions() throws IOException {
    names.intern(SeriesName.of("x", "x", "x"));
    resolver.resolveAll(names);
    assertEquals(List.of("METRIC x", "TAGK x", "TAGV x"), store.asked);
  }

  @Test
  void afterAFailureTheSameSeriesAreResolvedAgain() throws IOException {
    names.intern(SeriesName.of("m", "host", "a"));
    names.intern(SeriesName.of("m", "host", "bad"));
    store.failOn = "bad";
    IOException failure = assertThrows(IOException.class, () -> resolver.resolveAll(names));
    assertEquals("no answer about bad", failure.getMessage());
    store.failOn = "";
    resolver.resolveAll(names);
    assertEquals(9, resolver.tsuid(1).length());
    assertEquals(
        1, store.asked.stream().filter("METRIC m"::equals).count(), "what was answered is kept");
  }

  @Test
  void earlierSeriesKeepTheirTsuidsWhileMoreComeIn() throws IOException {
    names.intern(SeriesName.of("m", "host", "first"));
    resolver.resolveAll(names);
    Tsuid first = resolver.tsuid(0);
    for (int i = 0; i < 1000; i++) {
      names.intern(SeriesName.of("m", "host", "h" + i));
    }
    resolver.resolveAll(names);
    assertEquals(first, resolver.tsuid(0));
    assertEquals(
        1001,
        java.util.stream.IntStream.range(0, 1001).mapToObj(resolver::tsuid).distinct().count());
  }

  /** Numbers, metrics, keys and values that come in no order, and tags of several keys. */
  @Test
  void sortsSeriesByTheirTsuids() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 3000; i++) {
      TreeMap<String, String> tags = new TreeMap<>();
      for (int tag = random.nextInt(3); tag >= 0; tag--) {
        tags.put("k" + random.nextInt(6), "v" + random.nextInt(40));
      }
      names.intern(new SeriesName("m" + random.nextInt(20), tags));
    }
    // UIDs that names got in another order than they come here.
    for (int i = 39; i >= 0; i -= 3) {
      store.uids.findOrAssign(UidKind.TAGV, List.of("v" + i));
      store.uids.findOrAssign(UidKind.TAGK, List.of("k" + i % 6));
      store.uids.findOrAssign(UidKind.METRIC, List.of("m" + i % 20));
    }
    resolver.resolveAll(names);
    int[] sorted = resolver.inOrder(series -> series % 7 != 3);
    int[] expected =
        IntStream.range(0, names.size())
            .filter(series -> series % 7 != 3)
            .boxed()
            .sorted(Comparator.comparing(resolver::tsuid))
            .mapToInt(Integer::intValue)
            .toArray();
    assertArrayEquals(expected, sorted);
    assertArrayEquals(new int[0], resolver.inOrder(series -> false));
    assertArrayEquals(
        new int[0], new SeriesResolver(store, UidWidths.DEFAULT).inOrder(series -> true));
  }

  @Test
  void seriesThatAreNotResolvedYetAreNotSorted() throws IOException {
    names.intern(SeriesName.of("m", "host", "b"));
    names.intern(SeriesName.of("m", "host", "a"));
    resolver.resolveAll(names);
    names.intern(SeriesName.of("n", "other", "c"));
    assertArrayEquals(new int[] {0, 1}, resolver.inOrder(series -> true));
  }

  /** Many new names are not asked for in one call, which would hold all of them as objects. */
  @Test
  void asksForManyNamesInSeveralCalls() throws IOException {
    List<Integer> calls = new ArrayList<>();
    MemoryUidStore uids = new MemoryUidStore();
    UidStore counting =
        new UidStore() {
          @Override
          public long[] findOrAssign(UidKind kind, List<String> asked) {
            calls.add(asked.size());
            return uids.findOrAssign(kind, asked);
          }

          @Override
          public OptionalLong find(UidKind kind, String name) {
            return uids.find(kind, name);
          }
        };
    for (int i = 0; i < 70_000; i++) {
      names.intern(SeriesName.of("m", "host", "h" + i));
    }
    SeriesResolver many = new SeriesResolver(counting, UidWidths.DEFAULT);
    many.resolveAll(names);
    assertEquals(List.of(1, 1, 1 << 16, 70_000 - (1 << 16)), calls);
    assertEquals(
        Tsuid.of(UidWidths.DEFAULT, 1, 1, 70_000), many.tsuid(69_999), "of the second call");
  }
}
