package io.packhorse.loader.summary;

import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.summary.Statistics;
import io.packhorse.schema.summary.SummaryBlock;
import io.packhorse.schema.summary.SummaryEntries;
import io.packhorse.schema.summary.SummaryLevel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries of the summaries of many series, until they are made into blocks. Cells of a series come
 * in the order of time; of each series a day is open, and the entries of those before are kept.
 * What they mean: {@code docs/format.md}, section 17. One thread.
 */
public final class SummaryLog {
  private static final int DAY_HOURS = 24;
  private static final int NO_TIME = -1;

  /** Memory of an entry with its statistics, as objects of a JVM. */
  private static final int ENTRY_BYTES = 112;

  /** The same of a queue of entries. */
  private static final int QUEUE_BYTES = 48;

  /** The same of a series, and of the statistics of its open day if those are an object. */
  private static final int SERIES_BYTES = 176;

  private static final int STATISTICS_BYTES = 64;

  private final SummaryBlock block = new SummaryBlock();
  private final SummaryEntries entries = new SummaryEntries();

  /** The queue of each level that had no entry yet; nothing is added to it. */
  private final Deque<Entry> none = new ArrayDeque<>(0);

  /** By number, of which one of many shards has few. */
  private Map<Integer, Series> all = new HashMap<>();

  private long bytes;

  /** Takes a block. */
  public interface Blocks {
    /**
     * Takes it.
     *
     * @param rowSeconds base time of its row
     * @param value belongs to the receiver
     */
    void take(int series, SummaryLevel level, long rowSeconds, byte[] value) throws IOException;
  }

  /** An entry of a block; the statistics are those of its cell or its parts. */
  private record Entry(
      long startSeconds,
      int parts,
      long points,
      long firstMs,
      long lastMs,
      @Nullable CellStatistics statistics) {}

  /** Entries of a series, oldest first, and its open day. */
  private static final class Series {
    private Deque<Entry> months;
    private Deque<Entry> days;
    private Deque<Entry> hours;

    /** The hour of the newest cell. */
    private int hour = NO_TIME;

    /** The open day, since 1970, and what it has. */
    private int day = NO_TIME;

    private int parts;
    private long points;
    private long firstMs;
    private long lastMs;

    /** Whether all of it are integers; then first to sum are theirs, else what is joined so far. */
    private boolean integers;

    private long first;
    private long last;
    private long min;
    private long max;
    private long sum;
    private @Nullable CellStatistics others;

    Series(Deque<Entry> none) {
      months = none;
      days = none;
      hours = none;
    }

    /** Begins with a cell. */
    private void set(@Nullable CellStatistics cell) {
      integers = cell != null && cell.integers();
      others = integers ? null : cell;
      if (cell != null) {
        first = cell.first();
        last = cell.last();
        min = cell.min();
        max = cell.max();
        sum = cell.sum();
      }
    }

    /** As {@link Statistics#join}; integers without an object for each hour. */
    private void join(@Nullable CellStatistics cell) {
      if (!integers || cell == null || !cell.integers()) {
        set(Statistics.join(statistics(), cell));
        return;
      }
      long joined = sum + cell.sum();
      if (((sum ^ joined) & (cell.sum() ^ joined)) < 0) {
        set(null);
        return;
      }
      last = cell.last();
      min = Math.min(min, cell.min());
      max = Math.max(max, cell.max());
      sum = joined;
    }

    private @Nullable CellStatistics statistics() {
      return integers
          ? new CellStatistics(true, (int) points, (int) points, first, last, min, max, sum)
          : others;
    }
  }

  /**
   * Takes a cell.
   *
   * @return false if its series has a cell of a later hour here; it is not taken then
   */
  public boolean add(SummedCell cell) {
    Series of = series(cell.series());
    if (cell.hour() < of.hour) {
      return false;
    }
    if (of.hour == NO_TIME && cell.statistics() != null && !cell.statistics().integers()) {
      bytes += STATISTICS_BYTES;
    }
    int day = cell.hour() / DAY_HOURS;
    if (day != of.day) {
      closeDay(of);
      of.day = day;
    }
    int ofDay = cell.hour() % DAY_HOURS;
    long startMs = (long) ofDay * BaseTime.HOUR_MS;
    if (of.parts == 0) {
      of.firstMs = startMs + cell.firstMs();
      of.lastMs = startMs + cell.lastMs();
      of.set(cell.statistics());
    } else {
      of.firstMs = Math.min(of.firstMs, startMs + cell.firstMs());
      of.lastMs = Math.max(of.lastMs, startMs + cell.lastMs());
      // Cells of one hour may interleave: their points have no order in which they can be joined.
      if (cell.hour() == of.hour) {
        of.set(null);
      } else {
        of.join(cell.statistics());
      }
    }
    of.parts |= 1 << ofDay;
    of.points += cell.points();
    addHour(of, cell);
    of.hour = cell.hour();
    return true;
  }

  private Series series(int number) {
    Series found = all.get(number);
    if (found == null) {
      found = new Series(none);
      all.put(number, found);
      bytes += SERIES_BYTES;
    }
    return found;
  }

  /** Least number of a series that it has; the largest integer if it has none. */
  int firstSeries() {
    return all.keySet().stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE);
  }

  private int[] inOrder() {
    return all.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  private void addHour(Series of, SummedCell cell) {
    long startSeconds = (long) cell.hour() * BaseTime.HOUR_SECONDS;
    if (cell.hour() == of.hour) {
      Entry last = of.hours.peekLast();
      if (last != null && last.startSeconds() == startSeconds) {
        of.hours.removeLast();
        bytes -= ENTRY_BYTES;
      }
    } else if (cell.points() >= CellStatistics.STORED_FROM_POINTS && cell.statistics() != null) {
      of.hours =
          with(
              of.hours,
              new Entry(
                  startSeconds,
                  0,
                  cell.points(),
                  cell.firstMs(),
                  cell.lastMs(),
                  cell.statistics()));
    }
  }

  /** Adds an entry to a queue, or to a new one if it is the first. */
  private Deque<Entry> with(Deque<Entry> queue, Entry entry) {
    Deque<Entry> to = queue;
    if (to == none) {
      to = new ArrayDeque<>(1);
      bytes += QUEUE_BYTES;
    }
    to.add(entry);
    bytes += ENTRY_BYTES;
    return to;
  }

  private void closeDay(Series of) {
    if (of.parts != 0) {
      of.days =
          with(
              of.days,
              new Entry(
                  (long) of.day * DAY_HOURS * BaseTime.HOUR_SECONDS,
                  of.parts,
                  of.points,
                  of.firstMs,
                  of.lastMs,
                  of.statistics()));
      of.parts = 0;
      of.points = 0;
    }
  }

  /** Memory that it takes, in bytes, about. */
  public long bytes() {
    return bytes;
  }

  /**
   * Makes blocks of all days and hours, and entries of their months; the days that were open are
   * closed. In the order of series and time.
   */
  public void takeDays(Blocks to) throws IOException {
    for (int number : inOrder()) {
      Series of = series(number);
      closeDay(of);
      takeDays(number, of, Long.MAX_VALUE, to);
    }
  }

  /**
   * Makes blocks of the days before a month.
   *
   * @param endSeconds base time of its row
   */
  private void takeDays(int number, Series of, long endSeconds, Blocks to) throws IOException {
    while (!of.days.isEmpty()) {
      long row = SummaryLevel.DAY.row(of.days.getFirst().startSeconds());
      if (row >= endSeconds) {
        return;
      }
      Entry month = take(number, SummaryLevel.DAY, row, of.days, to);
      if (!of.hours.isEmpty() && SummaryLevel.HOUR.row(of.hours.getFirst().startSeconds()) == row) {
        take(number, SummaryLevel.HOUR, row, of.hours, to);
      }
      of.months = with(of.months, month);
    }
  }

  /** Makes blocks of the months that are over: of a series, all but that of its newest cell. */
  public void takeEnded(Blocks to) throws IOException {
    for (int number : inOrder()) {
      Series of = series(number);
      long newest = (long) of.hour * BaseTime.HOUR_SECONDS;
      takeDays(number, of, SummaryLevel.DAY.row(newest), to);
      takeMonths(number, of, to);
    }
  }

  /** Makes blocks of all months whose days are blocks already. In the order of series and time. */
  public void takeMonths(Blocks to) throws IOException {
    for (int number : inOrder()) {
      takeMonths(number, series(number), to);
    }
  }

  private void takeMonths(int number, Series of, Blocks to) throws IOException {
    while (!of.months.isEmpty()) {
      long row = SummaryLevel.MONTH.row(of.months.getFirst().startSeconds());
      take(number, SummaryLevel.MONTH, row, of.months, to);
    }
  }

  /** Makes blocks of everything, series by series; nothing is left. */
  public void takeAll(Blocks to) throws IOException {
    for (int number : inOrder()) {
      Series of = series(number);
      closeDay(of);
      takeDays(number, of, Long.MAX_VALUE, to);
      takeMonths(number, of, to);
    }
    all = new HashMap<>();
    bytes = 0;
  }

  /**
   * Makes a block of the first entries that lie in a row.
   *
   * @return the entry that joins them; of no meaning for months
   */
  private Entry take(int series, SummaryLevel level, long row, Deque<Entry> from, Blocks to)
      throws IOException {
    entries.clear();
    int parts = 0;
    long points = 0;
    long firstMs = 0;
    long lastMs = 0;
    CellStatistics joined = null;
    for (Entry entry = from.peekFirst();
        entry != null && level.row(entry.startSeconds()) == row;
        entry = from.peekFirst()) {
      from.removeFirst();
      bytes -= ENTRY_BYTES;
      entries.add(
          level.index(entry.startSeconds()),
          entry.parts(),
          (int) Math.min(entry.points(), Integer.MAX_VALUE),
          entry.firstMs(),
          entry.lastMs(),
          entry.statistics());
      long startMs = (entry.startSeconds() - row) * 1000;
      firstMs = points == 0 ? startMs + entry.firstMs() : firstMs;
      lastMs = startMs + entry.lastMs();
      joined = points == 0 ? entry.statistics() : Statistics.join(joined, entry.statistics());
      parts |= level == SummaryLevel.DAY ? 1 << level.index(entry.startSeconds()) : 0;
      points += entry.points();
    }
    to.take(series, level, row, block.encode(level, entries));
    return new Entry(row, parts, points, firstMs, lastMs, joined);
  }
}
