package io.packhorse.loader.pipeline;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HeapWatchTest {
  private final HeapWatch watch = new HeapWatch();
  private long nowMs = 1_000_000;
  private long collectingMs;

  /** Half a second of which a part is garbage collection. */
  private Optional<Double> halfSecond(double collecting, double retained) {
    nowMs += 500;
    collectingMs += Math.round(500 * collecting);
    return watch.add(new HeapWatch.Reading(MILLISECONDS.toNanos(nowMs), collectingMs, retained));
  }

  @Test
  void endsALoadThatCollectsForSecondsAndFreesNothing() {
    for (int i = 0; i < 20; i++) {
      assertEquals(Optional.empty(), halfSecond(0.95, 0.99), "less than a window: " + i);
    }
    assertEquals(0.95, halfSecond(0.95, 0.99).orElseThrow(), 0.01);
  }

  @Test
  void leavesALoadAloneThatIsShortOfMemoryOnly() {
    for (int i = 0; i < 100; i++) {
      assertEquals(Optional.empty(), halfSecond(0.85, 0.95), "it still makes progress: " + i);
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(Optional.empty(), halfSecond(0.95, 0.7), "there is much to free: " + i);
    }
  }

  @Test
  void forgetsWhatWasBeforeTheWindow() {
    for (int i = 0; i < 1000; i++) {
      assertEquals(Optional.empty(), halfSecond(0, 0.99));
    }
    int half = 0;
    while (halfSecond(1, 0.99).isEmpty()) {
      half++;
    }
    assertEquals(17, half, "nine of ten seconds");
  }

  @Test
  void measuresAPauseThatIsLongerThanTheWindow() {
    assertEquals(Optional.empty(), halfSecond(0, 0.5));
    nowMs += 60_000;
    collectingMs += 59_000;
    assertTrue(
        watch
            .add(new HeapWatch.Reading(MILLISECONDS.toNanos(nowMs), collectingMs, 0.97))
            .isPresent());
  }

  @Test
  void saysWhatToSet() {
    assertEquals(
        "the heap of 6,144 MiB is too small for this load (9,876,543 series so far): garbage"
            + " collection took 95 % of the last seconds; set PACKHORSE_HEAP=12g or more",
        HeapWatch.message(6L << 30, 9_876_543, 0.951));
    assertTrue(HeapWatch.message(300L << 20, 1, 1).endsWith("PACKHORSE_HEAP=600m or more"));
    assertTrue(HeapWatch.message(700L << 20, 1, 1).endsWith("PACKHORSE_HEAP=2g or more"));
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
    assertTrue(said.contains("too small for this load (1 series so far)"), said);
  }
}
