package net.opentsdb.core;

import io.packhorse.schema.key.BaseTime;
import java.util.BitSet;
import org.jspecify.annotations.NullMarked;

/** A set of hours of a query. Changed by one thread, then read by any. */
@NullMarked
final class HourRanges {
  private final long fromSeconds;
  private final int hours;
  private final BitSet set = new BitSet();

  /** Consecutive hours. */
  interface Visitor {
    /** Base times of the first hour and of the hour after the last, seconds since the epoch. */
    void range(long fromSeconds, long toSeconds);
  }

  /** An empty set of hours between two base times. */
  HourRanges(long fromSeconds, long toSeconds) {
    this.fromSeconds = fromSeconds;
    this.hours = Math.toIntExact((toSeconds - fromSeconds) / BaseTime.HOUR_SECONDS);
  }

  /** A copy. */
  HourRanges(HourRanges other) {
    this.fromSeconds = other.fromSeconds;
    this.hours = other.hours;
    set.or(other.set);
  }

  private int at(long seconds) {
    return (int) Math.max(0, Math.min(hours, (seconds - fromSeconds) / BaseTime.HOUR_SECONDS));
  }

  /** Adds hours; those outside are left out. */
  void add(long from, long to) {
    if (at(from) < at(to)) {
      set.set(at(from), at(to));
    }
  }

  /** Removes hours. */
  void remove(long from, long to) {
    if (at(from) < at(to)) {
      set.clear(at(from), at(to));
    }
  }

  /** Whether it has an hour. */
  boolean has(long seconds) {
    return seconds >= fromSeconds && at(seconds) < hours && set.get(at(seconds));
  }

  /** Whether it has all hours of another set of the same query. */
  boolean hasAll(HourRanges other) {
    BitSet missing = (BitSet) other.set.clone();
    missing.andNot(set);
    return missing.isEmpty();
  }

  /** Whether it has any hour of some. */
  boolean intersects(long from, long to) {
    int next = set.nextSetBit(at(from));
    return next >= 0 && next < at(to);
  }

  /** Number of hours. */
  int size() {
    return set.cardinality();
  }

  /** Visits the hours in their order, as few ranges as possible. */
  void forEach(Visitor visitor) {
    for (int at = set.nextSetBit(0); at >= 0; ) {
      int end = set.nextClearBit(at);
      visitor.range(seconds(at), seconds(end));
      at = set.nextSetBit(end);
    }
  }

  private long seconds(int at) {
    return fromSeconds + (long) at * BaseTime.HOUR_SECONDS;
  }

  @Override
  public String toString() {
    return "HourRanges[size=" + size() + "]";
  }
}
