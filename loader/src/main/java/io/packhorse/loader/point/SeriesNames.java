package io.packhorse.loader.point;

import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the series of one load from 0 in order of first appearance, so that points carry an int.
 *
 * <p>Any number of threads. A series is two numbers, of its metric and of its tags, and a name is
 * made of them when it is asked for: objects take five times the memory.
 */
public final class SeriesNames {
  private final Words metrics = new Words();
  private final TagSets tags = new TagSets();

  /** By series: the number of its metric in the upper half, of its tags in the lower. */
  private final LongBlocks series = new LongBlocks(0);

  private @Nullable NumberTable numbers = new NumberTable();
  private volatile int size;
  private boolean complete;

  /** The tags asked for last; often the next series has the same. */
  private Tags lastTags = Tags.NONE;

  private int lastTagSet = NumberTable.NONE;

  /**
   * The number of a series, given now if it is new.
   *
   * @throws CancellationException for a new one after {@link #refuseMore}
   * @throws IllegalStateException after {@link #freeze}
   */
  public synchronized int intern(SeriesName name) {
    NumberTable numbers = this.numbers;
    if (numbers == null) {
      throw new IllegalStateException("all series have their numbers already: " + name);
    }
    int metric = metrics.number(name.metric(), !complete);
    int tagSet = tags.number(name.tags(), !complete);
    long wanted = (long) metric << Integer.SIZE | tagSet;
    boolean known = metric != Words.NONE && tagSet != NumberTable.NONE;
    for (int slot = numbers.first(hash(wanted)); known; slot = numbers.after(slot)) {
      int number = numbers.number(slot);
      known = number != NumberTable.NONE;
      if (known && series.get(number) == wanted) {
        return number;
      }
    }
    if (complete) {
      throw new CancellationException("the load has ended");
    }
    series.set(size, wanted);
    numbers.add(this::hashOf);
    size = numbers.size();
    return size - 1;
  }

  private int hashOf(int number) {
    return hash(series.get(number));
  }

  private static int hash(long key) {
    // Numbers are small and dense: an odd factor near 2^31 keeps their sums apart.
    return (int) (key >>> Integer.SIZE) * 0x85eb_ca6b + (int) key;
  }

  /**
   * Takes no new series from now on: threads that still parse end soon, and fill no more memory.
   */
  public synchronized void refuseMore() {
    complete = true;
  }

  /** Looks no name up from now on: that memory is free. */
  public synchronized void freeze() {
    numbers = null;
  }

  /** The name of series {@code id}. */
  public synchronized SeriesName get(int id) {
    if (id >= size) {
      throw new IndexOutOfBoundsException("series must be below " + size + ": series=" + id);
    }
    int tagSet = tagSet(id);
    if (tagSet != lastTagSet) {
      lastTags = tags.get(tagSet);
      lastTagSet = tagSet;
    }
    return new SeriesName(metrics.get(metric(id)), lastTags);
  }

  /** Number of series seen. */
  public int size() {
    return size;
  }

  /** The number of a series' metric, from 0. */
  public int metric(int id) {
    return (int) (series.get(id) >>> Integer.SIZE);
  }

  /** The number of a series' tags, from 0: series with equal tags have the same. */
  public int tagSet(int id) {
    return (int) series.get(id);
  }

  /** The number of the keys of some tags, from 0: those with the same keys have the same. */
  public int tagKeys(int tagSet) {
    return tags.keys(tagSet);
  }

  /**
   * The number of a value of some tags, from 0: equal ones have the same, whatever their key.
   *
   * @param tag in the order of their keys, from 0
   */
  public int tagValue(int tagSet, int tag) {
    return tags.value(tagSet, tag);
  }

  /** How many metrics have a number. */
  public synchronized int metrics() {
    return metrics.size();
  }

  /** The name of a metric. */
  public synchronized String metricName(int metric) {
    return metrics.get(metric);
  }

  /** How many lists of tag keys have a number. */
  public synchronized int tagKeyLists() {
    return tags.keyLists();
  }

  /** The keys with a number, in order. */
  public synchronized List<String> tagKeyList(int number) {
    return tags.keyList(number);
  }

  /** How many tag values have a number. */
  public synchronized int tagValues() {
    return tags.values().size();
  }

  /** A tag value. */
  public synchronized String tagValueName(int value) {
    return tags.values().get(value);
  }
}
