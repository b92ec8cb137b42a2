package io.packhorse.loader.cli;

import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.PeriodicTask;
import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * Shows the progress of long work: one line, redrawn on a terminal, printed anew every ten seconds
 * elsewhere.
 */
final class ProgressLine implements Announcer.Progress {
  /** Set by the launcher, which can ask the shell; Java cannot ask about standard error alone. */
  private static final boolean TERMINAL =
      Boolean.getBoolean("packhorse.terminal") && !"dumb".equals(System.getenv("TERM"));

  private final PrintWriter out;
  private final Supplier<String> line;
  private final boolean terminal;
  private final PeriodicTask redrawing;
  private int shown;

  /**
   * Starts showing.
   *
   * @param line the text to draw, without line end; called by a thread of this object
   */
  ProgressLine(PrintWriter out, Supplier<String> line) {
    this(out, line, TERMINAL, TERMINAL ? 200 : 10_000);
  }

  /**
   * As {@link #ProgressLine(PrintWriter, Supplier)}, for tests.
   *
   * @param terminal whether the line can be redrawn
   */
  ProgressLine(PrintWriter out, Supplier<String> line, boolean terminal, long periodMs) {
    this.out = out;
    this.line = line;
    this.terminal = terminal;
    redrawing = new PeriodicTask("progress-line", this::show, periodMs);
  }

  private synchronized void show() {
    String text = line.get();
    if (!terminal) {
      out.println(text);
      return;
    }
    out.print("\r" + text + " ".repeat(Math.max(0, shown - text.length())));
    out.flush();
    shown = text.length();
  }

  /** Stops; on a terminal the last state stays as a line of its own. */
  @Override
  public void close() {
    redrawing.close();
    if (terminal) {
      show();
      out.println();
    }
  }
}
