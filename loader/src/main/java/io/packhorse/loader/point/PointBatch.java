package io.packhorse.loader.point;

import java.util.Arrays;

/**
 * Points on their way in, in runs of one series each: a whole hour of a generated series is one
 * run, a line of a time-major file is a run of one point.
 *
 * <p>Times and values lie in flat arrays over all runs. The arrays handed out are the batch's own.
 * A batch is filled by one thread and then read by one.
 */
public final class PointBatch {
  private int points;
  private long[] timestampsMs;
  private long[] bits;
  private boolean[] isDouble;

  private int runs;
  private int[] runSeries;
  private int[] runEnds;

  /**
   * @param capacity points to make room for at first, at least 1
   */
  public PointBatch(int capacity) {
    timestampsMs = new long[capacity];
    bits = new long[capacity];
    isDouble = new boolean[capacity];
    runSeries = new int[16];
    runEnds = new int[16];
  }

  /** Removes all points, keeps the arrays. */
  public void clear() {
    points = 0;
    runs = 0;
  }

  /** Number of points over all runs. */
  public int points() {
    return points;
  }

  /** Number of runs. */
  public int runs() {
    return runs;
  }

  /** Series id of run {@code run}. */
  public int series(int run) {
    return runSeries[run];
  }

  /** Index of the first point of run {@code run}. */
  public int start(int run) {
    return run == 0 ? 0 : runEnds[run - 1];
  }

  /** Index after the last point of run {@code run}. */
  public int end(int run) {
    return runEnds[run];
  }

  /** Milliseconds since the epoch. The batch's own array. */
  public long[] timestampsMs() {
    return timestampsMs;
  }

  /** Integers as they are, doubles as raw bits. The batch's own array. */
  public long[] bits() {
    return bits;
  }

  /** Which values are doubles. The batch's own array. */
  public boolean[] isDouble() {
    return isDouble;
  }

  /** Appends one point; it joins the last run if that is of the same series. */
  public void add(int series, long timestampMs, long valueBits, boolean valueIsDouble) {
    ensureRoom(1);
    timestampsMs[points] = timestampMs;
    bits[points] = valueBits;
    isDouble[points] = valueIsDouble;
    advance(series, 1);
  }

  /** Makes room behind {@link #points} for {@code more} points, to be filled in the arrays. */
  public void ensureRoom(int more) {
    if (points + more > bits.length) {
      int capacity = Math.max(points + more, bits.length * 2);
      timestampsMs = Arrays.copyOf(timestampsMs, capacity);
      bits = Arrays.copyOf(bits, capacity);
      isDouble = Arrays.copyOf(isDouble, capacity);
    }
  }

  /** Declares {@code more} points of one series written behind {@link #points} in the arrays. */
  public void advance(int series, int more) {
    points += more;
    if (runs > 0 && runSeries[runs - 1] == series) {
      runEnds[runs - 1] = points;
      return;
    }
    if (runs == runEnds.length) {
      runSeries = Arrays.copyOf(runSeries, runs * 2);
      runEnds = Arrays.copyOf(runEnds, runs * 2);
    }
    runSeries[runs] = series;
    runEnds[runs] = points;
    runs++;
  }

  /** Appends run {@code run} of another batch. */
  public void addRun(PointBatch from, int run) {
    int start = from.start(run);
    int length = from.end(run) - start;
    ensureRoom(length);
    if (length == 1) {
      // A line of a time-major file: three calls would cost more than the point.
      timestampsMs[points] = from.timestampsMs[start];
      bits[points] = from.bits[start];
      isDouble[points] = from.isDouble[start];
    } else {
      System.arraycopy(from.timestampsMs, start, timestampsMs, points, length);
      System.arraycopy(from.bits, start, bits, points, length);
      System.arraycopy(from.isDouble, start, isDouble, points, length);
    }
    advance(from.series(run), length);
  }

  /** Appends all runs of another batch. */
  public void addAll(PointBatch from) {
    if (from.runs == 0) {
      return;
    }
    ensureRoom(from.points);
    System.arraycopy(from.timestampsMs, 0, timestampsMs, points, from.points);
    System.arraycopy(from.bits, 0, bits, points, from.points);
    System.arraycopy(from.isDouble, 0, isDouble, points, from.points);
    int before = points;
    advance(from.runSeries[0], from.runEnds[0]);
    int more = from.runs - 1;
    if (runs + more > runEnds.length) {
      int capacity = Math.max(runs + more, 2 * runEnds.length);
      runSeries = Arrays.copyOf(runSeries, capacity);
      runEnds = Arrays.copyOf(runEnds, capacity);
    }
    System.arraycopy(from.runSeries, 1, runSeries, runs, more);
    for (int run = 0; run < more; run++) {
      runEnds[runs + run] = before + from.runEnds[run + 1];
    }
    runs += more;
    points = before + from.points;
  }
}
