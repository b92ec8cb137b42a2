package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ProgressLineTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintWriter out = new PrintWriter(bytes, true, StandardCharsets.UTF_8);

  @Test
  void shortWorkOutsideATerminalShowsNothing() {
    new ProgressLine(out, () -> "10 points").close();
    assertEquals("", text());
  }

  @Test
  void outsideATerminalEachStateIsALine() throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(3);
    AtomicInteger state = new AtomicInteger();
    try (ProgressLine progress = new ProgressLine(out, () -> next(shown, state), false, 1)) {
      shown.await();
    }
    assertTrue(text().startsWith(String.format("state 1%nstate 2%n")), text());
  }

  @Test
  void onATerminalTheLineIsRedrawnAndTheLastStateStays() throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(2);
    AtomicInteger state = new AtomicInteger();
    try (ProgressLine progress = new ProgressLine(out, () -> next(shown, state), true, 1)) {
      shown.await();
    }
    assertTrue(text().startsWith("\rstate 1\rstate 2"), text());
    assertTrue(text().endsWith("\rstate " + state.get() + System.lineSeparator()), text());
  }

  @Test
  void aShorterLineCoversTheLongerOneBefore() throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(2);
    AtomicInteger state = new AtomicInteger();
    try (ProgressLine progress =
        new ProgressLine(
            out,
            () -> {
              shown.countDown();
              return state.getAndIncrement() == 0 ? "a long line" : "short";
            },
            true,
            1)) {
      shown.await();
    }
    assertTrue(text().startsWith("\ra long line\rshort      "), text());
  }

  private static String next(CountDownLatch shown, AtomicInteger state) {
    shown.countDown();
    return "state " + state.incrementAndGet();
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
