package io.packhorse.loader.pipeline;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class HeapWatchTest {
  private final HeapWatch watch = new HeapWatch();
  private long nowMs = 1_000_000;
  private long collectingMs;

  /** Half a second of which a part is garbage collection. */
  private boolean halfSecond(double collecting, double retained) {
    nowMs += 500;
    collectingMs += Math.round(500 * collecting);
    return watch.add(new HeapWatch.Reading(MILLISECONDS.toNanos(nowMs), collectingMs, retained));
  }

  @Test
  void endsALoadThatCollectsForSecondsAndFreesNothing() {
    for (int i = 0; i < 20; i++) {
      assertFalse(halfSecond(0.95, 0.99), "less than a window: " + i);
    }
    assertTrue(halfSecond(0.95, 0.99));
  }

  @Test
  void leavesALoadAloneThatIsShortOfMemoryOnly() {
    for (int i = 0; i < 100; i++) {
      assertFalse(halfSecond(0.85, 0.95), "it still makes progress: " + i);
    }
    for (int i = 0; i < 100; i++) {
      assertFalse(halfSecond(0.95, 0.7), "there is much to free: " + i);
    }
  }

  @Test
  void forgetsWhatWasBeforeTheWindow() {
    for (int i = 0; i < 1000; i++) {
      assertFalse(halfSecond(0, 0.99));
    }
    int half = 0;
    while (!halfSecond(1, 0.99)) {
      half++;
    }
    assertEquals(17, half, "nine of ten seconds");
  }

  @Test
  void measuresAPauseThatIsLongerThanTheWindow() {
    assertFalse(halfSecond(0, 0.5));
    nowMs += 60_000;
    collectingMs += 59_000;
    assertTrue(watch.add(new HeapWatch.Reading(MILLISECONDS.toNanos(nowMs), collectingMs, 0.97)));
  }

  @Test
  void saysWhatToSet() {
    HeapFullException full = new HeapFullException(6L << 30, 6_000_000);
    assertEquals(
        "the heap of 6,144 MiB is full with 6,000,000 series, about 1,073 B each, and 60 % of the"
            + " input is read; set PACKHORSE_HEAP=15g, an estimate for the 10,000,000 series that"
            + " all of it would have",
        full.sentence(0.6));
    assertEquals(
        "the heap of 6,144 MiB is full with 6,000,000 series, about 1,073 B each; set"
            + " PACKHORSE_HEAP=9g, an estimate",
        full.sentence(-1));
    assertEquals(
        "the heap of 64 MiB is full; set PACKHORSE_HEAP=128m",
        new HeapFullException(64L << 20, 0).sentence(0.1));
    assertTrue(
        new HeapFullException(400L << 20, 400_000).sentence(1).contains("PACKHORSE_HEAP=576m"));
  }

  /** In a JVM of its own, with the collector that the launcher chooses. */
  @Test
  void endsALoadWhoseHeapIsFull() throws Exception {
    Process load =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseParallelGC",
                // The JVM's own limit, which would end the load minutes later.
                "-XX:-UseGCOverheadLimit",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeapLoad.class.getName(),
                "80")
            .redirectErrorStream(true)
            .start();
    String said = new String(load.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(5, load.waitFor(), said);
    assertTrue(said.contains("too small for 1 series"), said);
  }
}
