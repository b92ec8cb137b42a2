package io.packhorse.loader.cli;

import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.HumanNumbers;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows the progress of long work: on a terminal one line with a bar, redrawn; elsewhere a line of
 * text every ten seconds.
 */
final class ProgressLine implements Announcer.Progress {
  private static final int BAR_COLUMNS_MIN = 10;
  private static final int BAR_COLUMNS_MAX = 40;

  private static final String GREEN = "\033[32m";
  private static final String FAINT = "\033[2m";
  private static final String PLAIN = "\033[0m";
  private static final String CLEAR_REST = "\033[K";

  private final PrintWriter out;
  private final Supplier<Announcer.Status> status;
  private final Terminal terminal;
  private final long startedNanos = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "packhorse-progress");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Starts showing.
   *
   * @param status called by a thread of this object
   */
  ProgressLine(PrintWriter out, Supplier<Announcer.Status> status, Terminal terminal) {
    this(out, status, terminal, terminal.redraws() ? 200 : 10_000);
  }

  /** As {@link #ProgressLine(PrintWriter, Supplier, Terminal)}, for tests. */
  ProgressLine(
      PrintWriter out, Supplier<Announcer.Status> status, Terminal terminal, long periodMs) {
    this.out = out;
    this.status = status;
    this.terminal = terminal;
    var unused = timer.scheduleAtFixedRate(this::show, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private synchronized void show() {
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    if (terminal.redraws()) {
      out.print("\r" + bar(status.get(), seconds, terminal) + CLEAR_REST);
      out.flush();
    } else {
      out.println(status.get().line() + "  after " + HumanNumbers.seconds(seconds));
    }
  }

  /**
   * The line on a terminal. Figures that do not fit are left out, the last ones first.
   *
   * @param seconds since the work began
   */
  static String bar(Announcer.Status status, double seconds, Terminal terminal) {
    String topic = String.format(Locale.ROOT, "%-9s ", status.topic());
    String percent =
        status.percent().map(text -> String.format(Locale.ROOT, " %5s  ", text)).orElse("");
    String time = clock(seconds);
    if (status.secondsLeft().isPresent()) {
      time += "  ETA " + clock(status.secondsLeft().getAsDouble());
    }
    // A terminal goes on to the next line when its last column is filled.
    int room = terminal.columns() - 1 - topic.length() - percent.length() - time.length();
    boolean drawn = status.share() >= 0 && room >= BAR_COLUMNS_MIN;
    room -= drawn ? BAR_COLUMNS_MIN : 0;
    List<String> shown = new ArrayList<>();
    for (String figure : status.figures()) {
      room -= figure.length() + 2;
      if (room < 0) {
        room += figure.length() + 2;
        break;
      }
      shown.add(figure + "  ");
    }
    StringBuilder line = new StringBuilder(topic);
    if (drawn) {
      line.append(bar(status.share(), Math.min(BAR_COLUMNS_MAX, BAR_COLUMNS_MIN + room), terminal));
    }
    return line + percent + String.join("", shown) + time;
  }

  private static String bar(double share, int columns, Terminal terminal) {
    int filled = (int) (columns * Math.min(1, share));
    String done = "\u2501".repeat(filled);
    String rest = "\u2500".repeat(columns - filled);
    return terminal.colours() ? GREEN + done + PLAIN + FAINT + rest + PLAIN : done + rest;
  }

  /** {@code 0:07}, {@code 1:02:03}. */
  private static String clock(double seconds) {
    long whole = Math.round(seconds);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole % 3600 / 60, whole % 60);
  }

  /** Stops; on a terminal the last state stays as a line of its own. */
  @Override
  public void close() {
    timer.shutdownNow();
    if (terminal.redraws()) {
      show();
      out.println();
    }
  }
}
