package io.packhorse.loader.repack;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** How far a repack is. Any number of threads. */
public final class RepackCounts {
  private final Map<RepackCount, LongAdder> counts = new EnumMap<>(RepackCount.class);
  private final Optional<RepackCounts> whole;

  /** Counts of a whole. */
  public RepackCounts() {
    this(Optional.empty());
  }

  /**
   * Counts of a part.
   *
   * @param whole what is added here is added there, too
   */
  public RepackCounts(RepackCounts whole) {
    this(Optional.of(whole));
  }

  private RepackCounts(Optional<RepackCounts> whole) {
    this.whole = whole;
    for (RepackCount count : RepackCount.values()) {
      counts.put(count, new LongAdder());
    }
  }

  /** A count now. */
  public long get(RepackCount count) {
    return adder(count).sum();
  }

  /** Adds to a count. */
  public void add(RepackCount count, long more) {
    adder(count).add(more);
    whole.ifPresent(of -> of.add(count, more));
  }

  /**
   * Adds all counts of somebody else.
   *
   * @param others as {@link #toArray} gives them
   */
  public void addAll(long[] others) {
    int at = 0;
    for (RepackCount count : RepackCount.values()) {
      add(count, others[at++]);
    }
  }

  /** All counts, in the order of {@link RepackCount}; a new array. */
  public long[] toArray() {
    return counts.values().stream().mapToLong(LongAdder::sum).toArray();
  }

  private LongAdder adder(RepackCount count) {
    return counts.computeIfAbsent(count, missing -> new LongAdder());
  }
}
