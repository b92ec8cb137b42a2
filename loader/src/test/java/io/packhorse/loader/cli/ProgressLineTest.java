package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.load.Announcer;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ProgressLineTest {
  private static final Announcer.Status HALF =
      new Announcer.Status(
          "load",
          0.5,
          OptionalDouble.of(65.2),
          List.of("12,345,678 points", "9.88 M points/s", "0.854 bytes/point", "in flight 4"));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintWriter out = new PrintWriter(bytes, true, StandardCharsets.UTF_8);

  @Test
  void shortWorkOutsideATerminalShowsNothing() {
    new ProgressLine(out, () -> HALF, Terminal.NONE).close();
    assertEquals("", text());
  }

  @Test
  void outsideATerminalEachStateIsALine() throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(3);
    AtomicInteger state = new AtomicInteger();
    try (ProgressLine progress =
        new ProgressLine(out, () -> next(shown, state), Terminal.NONE, 1)) {
      shown.await();
    }
    assertTrue(
        text().matches("(?s)verify +state 1  after 0.\\d s\\Rverify +state 2  after .*"), text());
    assertFalse(text().contains("\033"), text());
  }

  @Test
  void onATerminalTheLineIsRedrawnAndTheLastStateStays() throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(2);
    AtomicInteger state = new AtomicInteger();
    try (ProgressLine progress =
        new ProgressLine(out, () -> next(shown, state), new Terminal(80, true), 1)) {
      shown.await();
    }
    assertTrue(text().startsWith("\rverify    state 1  0:00\033[K\rverify    state 2"), text());
    assertTrue(
        text()
            .endsWith("\rverify    state " + state.get() + "  0:00\033[K" + System.lineSeparator()),
        text());
  }

  @Test
  void theBarTakesTheRoomThatTheFiguresLeave() {
    assertEquals(
        "load      ━━━━━━━────────  50 %  12,345,678 points  9.88 M points/s  0:07  ETA 1:05",
        ProgressLine.bar(HALF, 7, new Terminal(84, false)));
    String wide = ProgressLine.bar(HALF, 3723, new Terminal(200, false));
    assertTrue(wide.contains("━".repeat(20) + "─".repeat(20) + "  50 %"), wide);
    assertTrue(wide.endsWith("in flight 4  1:02:03  ETA 1:05"), wide);
  }

  @Test
  void noLineIsAsWideAsTheTerminal() {
    for (int columns = 40; columns < 200; columns++) {
      String line = ProgressLine.bar(HALF, 7, new Terminal(columns, false));
      assertTrue(line.length() < columns, columns + ": " + line);
      assertEquals(
          line,
          ProgressLine.bar(HALF, 7, new Terminal(columns, true)).replaceAll("\033\\[\\d+m", ""));
    }
  }

  @Test
  void unknownSharesHaveNoBar() {
    assertEquals(
        "rollback  7 cells deleted so far  0:07",
        ProgressLine.bar(
            Announcer.Status.of("rollback", "7 cells deleted so far"), 7, new Terminal(80, true)));
  }

  @Test
  void theEnvironmentSaysWhatATerminalCanShow() {
    assertEquals(new Terminal(80, true), Terminal.of(80, Map.of("TERM", "xterm")));
    assertEquals(
        new Terminal(80, false), Terminal.of(80, Map.of("TERM", "xterm", "NO_COLOR", "1")));
    assertEquals(new Terminal(80, true), Terminal.of(80, Map.of("TERM", "xterm", "NO_COLOR", "")));
    assertFalse(Terminal.of(80, Map.of("TERM", "dumb")).redraws());
    assertFalse(Terminal.of(80, Map.of()).redraws());
    assertFalse(Terminal.of(0, Map.of("TERM", "xterm")).redraws());
  }

  private static Announcer.Status next(CountDownLatch shown, AtomicInteger state) {
    shown.countDown();
    return Announcer.Status.of("verify", "state " + state.incrementAndGet());
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
