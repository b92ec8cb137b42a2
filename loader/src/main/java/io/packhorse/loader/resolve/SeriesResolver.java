package io.packhorse.loader.resolve;

import io.packhorse.loader.point.LongBlocks;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns series names into TSUIDs; asks the UID store once for each metric, tag key and tag value.
 * UIDs are kept by name, and a TSUID is made of them each time: those of all series would be the
 * largest part of a load's memory.
 *
 * <p>One thread resolves. Any thread may call {@link #tsuid} for a series that was resolved before
 * its points were passed to that thread.
 */
public final class SeriesResolver {
  /** New names are asked for so many at a time. */
  private static final int NAMES_A_CALL = 1 << 16;

  private final UidStore store;
  private final UidWidths widths;
  private volatile @Nullable SeriesNames names;

  /** By the numbers that names have. */
  private final Uids metrics = new Uids(UidKind.METRIC);

  private final Uids tagValues = new Uids(UidKind.TAGV);

  /** By number of the list of keys. */
  private volatile TagKeyUids[] tagKeys = {};

  private final Map<String, Long> tagKeyUids = new HashMap<>();
  private volatile int resolved;

  /**
   * What {@link #tsuid} has made last: the metrics of a device have the same tags and often follow
   * each other. Threads may overwrite each other's; each finds a whole one.
   */
  private @Nullable Made last;

  /** A TSUID and the number of its tags. */
  private record Made(int tagSet, Tsuid tsuid) {}

  /**
   * @param widths of the cluster's UIDs
   */
  public SeriesResolver(UidStore store, UidWidths widths) {
    this.store = store;
    this.widths = widths;
  }

  /**
   * Resolves all series not resolved yet; assigns UIDs to new names.
   *
   * @param of the same ones at each call
   * @throws InterruptedIOException if the thread is interrupted: in a heap that is full, the rest
   *     of them might take minutes
   */
  public void resolveAll(SeriesNames of) throws IOException {
    int wanted = of.size();
    if (wanted == resolved) {
      return;
    }
    names = of;
    // The names of these series have numbers already; UIDs of a few more do no harm.
    metrics.resolve(of.metrics(), of::metricName);
    resolveTagKeys(of);
    tagValues.resolve(of.tagValues(), of::tagValueName);
    resolved = wanted;
  }

  /** As {@link #resolveAll}, but only when at least 65,536 tag values have no UID yet. */
  public void resolveMany(SeriesNames of) throws IOException {
    if (of.tagValues() - tagValues.known >= NAMES_A_CALL) {
      resolveAll(of);
    }
  }

  /** The UIDs of the names of a kind. */
  private final class Uids {
    private final UidKind kind;
    private final LongBlocks byNumber = new LongBlocks(0);
    private int known;

    Uids(UidKind kind) {
      this.kind = kind;
    }

    /** Looks up or assigns those that are not known yet. */
    void resolve(int count, IntFunction<String> names) throws IOException {
      while (known < count) {
        int next = Math.min(count, known + NAMES_A_CALL);
        List<String> asked = new ArrayList<>(next - known);
        for (int number = known; number < next; number++) {
          checkInterrupt();
          asked.add(names.apply(number));
        }
        for (long uid : store.findOrAssign(kind, asked)) {
          byNumber.set(known++, uid);
        }
      }
    }

    long get(int number) {
      return byNumber.get(number);
    }
  }

  private void resolveTagKeys(SeriesNames of) throws IOException {
    int known = tagKeys.length;
    int wanted = of.tagKeyLists();
    Set<String> unknown = new LinkedHashSet<>();
    for (int number = known; number < wanted; number++) {
      checkInterrupt();
      unknown.addAll(of.tagKeyList(number));
    }
    unknown.removeAll(tagKeyUids.keySet());
    if (!unknown.isEmpty()) {
      List<String> asked = List.copyOf(unknown);
      long[] uids = store.findOrAssign(UidKind.TAGK, asked);
      for (int i = 0; i < uids.length; i++) {
        tagKeyUids.put(asked.get(i), uids[i]);
      }
    }
    if (known < wanted) {
      TagKeyUids[] more = Arrays.copyOf(tagKeys, wanted);
      for (int number = known; number < wanted; number++) {
        more[number] =
            TagKeyUids.of(
                of.tagKeyList(number).stream()
                    .mapToLong(key -> Objects.requireNonNull(tagKeyUids.get(key)))
                    .toArray());
      }
      tagKeys = more;
    }
  }

  private static void checkInterrupt() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while names are resolved");
    }
  }

  /** Number of series resolved so far; {@link #tsuid} knows them all. Any thread. */
  public int resolved() {
    return resolved;
  }

  /** The TSUID of a resolved series. */
  public Tsuid tsuid(int series) {
    SeriesNames of = names();
    int tagSet = of.tagSet(series);
    long metric = metrics.get(of.metric(series));
    Made before = last;
    if (before != null && before.tagSet == tagSet) {
      return before.tsuid.withMetric(widths, metric);
    }
    TagKeyUids keys = tagKeys[of.tagKeys(tagSet)];
    long[] tags = new long[2 * keys.size()];
    for (int tag = 0; tag < keys.size(); tag++) {
      tags[2 * tag] = keys.uid(tag);
      tags[2 * tag + 1] = tagValues.get(of.tagValue(tagSet, keys.place(tag)));
    }
    Tsuid made = Tsuid.of(widths, metric, tags);
    last = new Made(tagSet, made);
    return made;
  }

  /**
   * The numbers of resolved series in the order of their TSUIDs.
   *
   * @param wanted which of them; asked more than once
   */
  public int[] inOrder(IntPredicate wanted) {
    int count = resolved;
    return count == 0 ? new int[0] : new SeriesOrder(names(), this, count).sorted(wanted);
  }

  private SeriesNames names() {
    return Objects.requireNonNull(names, "resolveAll comes first");
  }

  /** The UID of the metric of a resolved series. */
  public long metricUid(int series) {
    return metrics.get(names().metric(series));
  }

  /** The UID of a resolved metric, by its number. */
  long uidOfMetric(int metric) {
    return metrics.get(metric);
  }

  /** Compares the TSUIDs of series of the same metric that have these tags. */
  int compareTags(int one, int other) {
    SeriesNames of = names();
    TagKeyUids keys = tagKeys[of.tagKeys(one)];
    TagKeyUids otherKeys = tagKeys[of.tagKeys(other)];
    int both = Math.min(keys.size(), otherKeys.size());
    for (int tag = 0; tag < both; tag++) {
      int order = Long.compareUnsigned(keys.uid(tag), otherKeys.uid(tag));
      if (order != 0) {
        return order;
      }
      int value = of.tagValue(one, keys.place(tag));
      int otherValue = of.tagValue(other, otherKeys.place(tag));
      if (value != otherValue) {
        return Long.compareUnsigned(tagValues.get(value), tagValues.get(otherValue));
      }
    }
    return Integer.compare(keys.size(), otherKeys.size());
  }
}
