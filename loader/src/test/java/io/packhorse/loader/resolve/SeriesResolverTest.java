package io.packhorse.loader.resolve;

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
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
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
}
