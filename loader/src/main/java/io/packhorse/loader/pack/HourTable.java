package io.packhorse.loader.pack;

import io.packhorse.loader.point.IntBlocks;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * The open hours in memory, with their points in the order of arrival. The newest hours of a series
 * are few and form a linked list; late hours are found in a hash table. One thread.
 */
final class HourTable {
  /** In place of an entry: no hour. */
  static final int NONE = -1;

  /** Memory of an hour beside its points: a record of 32 bytes, two hash slots, a sort key. */
  static final int HOUR_BYTES = 48;

  /** Fields of a record, which is one row of a page. */
  private static final int SERIES = 0;

  private static final int HOUR = 1;
  private static final int FIRST = 2;
  private static final int LAST = 3;
  private static final int POINTS = 4;
  private static final int NEXT = 5;
  private static final int TOUCHED = 6;
  private static final int PUBLISHED = 7;

  private static final int FIELDS_BITS = 3;
  private static final int PAGE_BITS = 10;
  private static final int PAGE_HOURS = 1 << PAGE_BITS;
  private static final int SLOTS_MIN = 1024;
  private static final long HASH = 0x9e37_79b9_7f4a_7c15L;

  private final PointArena points = new PointArena();
  private int[][] records = {};
  private int given;
  private int free = NONE;
  private int newestCount;

  /** A series has the place that is its number divided by this. */
  private final int every;

  /** By place: the first entry of the list of its series' newest hours, which is in no order. */
  private IntBlocks newest = new IntBlocks(NONE);

  private int places;

  /** Entries of late hours plus one, 0 where free. Open addressing, at most half full. */
  private int[] slots = new int[SLOTS_MIN];

  private int lateCount;
  private int now;

  /**
   * @param every of the numbers of the series, which all leave the same rest when divided by it
   */
  HourTable(int every) {
    this.every = every;
  }

  /** Memory in use for hours and points, in bytes. */
  long bytes() {
    return points.bytes() + (long) (newestCount + lateCount) * HOUR_BYTES;
  }

  /** Whether no hour is open. */
  boolean isEmpty() {
    return newestCount + lateCount == 0;
  }

  /** Late hours open. */
  int lateCount() {
    return lateCount;
  }

  /** Sets the time, in seconds; an hour that takes points remembers it. */
  void setNow(int seconds) {
    now = seconds;
  }

  /** No series at this place or behind it has newest hours. */
  int places() {
    return places;
  }

  /** The first of a series' newest hours, or {@link #NONE}. */
  int newest(int series) {
    return newest.get(series / every);
  }

  /** The first of the newest hours of the series at a place, or {@link #NONE}. */
  int newestAt(int place) {
    return newest.get(place);
  }

  /** The next of the newest hours of the same series, or {@link #NONE}. */
  int next(int entry) {
    return get(entry, NEXT);
  }

  /** Series of an hour. */
  int series(int entry) {
    return get(entry, SERIES);
  }

  /** Hours since 1970. */
  int hour(int entry) {
    return get(entry, HOUR);
  }

  /** When an hour last took points, as told to {@link #setNow}. */
  int touched(int entry) {
    return get(entry, TOUCHED);
  }

  /** Whether a cell of an hour has been stored while it was open. */
  boolean isPublished(int entry) {
    return get(entry, PUBLISHED) != 0;
  }

  void setPublished(int entry) {
    set(entry, PUBLISHED, 1);
  }

  /** Adds an hour to the newest hours of a series. */
  int openNewest(int series, int hour) {
    int place = series / every;
    places = Math.max(places, place + 1);
    int entry = newEntry(series, hour);
    set(entry, NEXT, newest.get(place));
    newest.set(place, entry);
    newestCount++;
    return entry;
  }

  /** Removes one of the newest hours. */
  void removeNewest(int entry) {
    int place = series(entry) / every;
    int after = next(entry);
    int before = newest.get(place);
    if (before == entry) {
      newest.set(place, after);
    } else {
      while (next(before) != entry) {
        before = next(before);
      }
      set(before, NEXT, after);
    }
    newestCount--;
    release(entry);
  }

  /** The entry of a late hour, which is opened now if it is not open. */
  int openLate(int series, int hour) {
    int slot = slotOf(series, hour);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if (lateCount >= slots.length / 2) {
      grow();
      slot = slotOf(series, hour);
    }
    int entry = newEntry(series, hour);
    slots[slot] = entry + 1;
    lateCount++;
    return entry;
  }

  /** Removes all late hours. */
  void removeLate() {
    for (int slot : slots) {
      if (slot != 0) {
        release(slot - 1);
      }
    }
    clearSlots();
  }

  private void clearSlots() {
    slots = new int[SLOTS_MIN];
    lateCount = 0;
  }

  private int slotOf(int series, int hour) {
    int mask = slots.length - 1;
    int hash = (int) ((((long) series << Integer.SIZE | hour) * HASH) >>> Integer.SIZE);
    int slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] != 0 && !is(slots[slot] - 1, series, hour)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean is(int entry, int series, int hour) {
    return get(entry, SERIES) == series && get(entry, HOUR) == hour;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[2 * old.length];
    for (int slot : old) {
      if (slot != 0) {
        slots[slotOf(series(slot - 1), hour(slot - 1))] = slot;
      }
    }
  }

  private int newEntry(int series, int hour) {
    int entry = free;
    if (entry == NONE) {
      entry = given++;
      if (entry >> PAGE_BITS == records.length) {
        records = Arrays.copyOf(records, records.length + 1);
        records[records.length - 1] = new int[PAGE_HOURS << FIELDS_BITS];
      }
    } else {
      free = next(entry);
    }
    int chunk = points.allocate(0);
    set(entry, SERIES, series);
    set(entry, HOUR, hour);
    set(entry, FIRST, chunk);
    set(entry, LAST, chunk);
    set(entry, POINTS, 0);
    set(entry, NEXT, NONE);
    set(entry, PUBLISHED, 0);
    return entry;
  }

  private void release(int entry) {
    points.release(get(entry, FIRST), get(entry, POINTS));
    set(entry, NEXT, free);
    free = entry;
  }

  /**
   * Takes points of an hour from the front of {@code [from, to)}.
   *
   * @return index of the first point of another hour, or {@code to}
   */
  int take(int entry, long[] timestampsMs, long[] bits, boolean[] isDouble, int from, int to) {
    long baseMs = (long) hour(entry) * PointBlock.HOUR_MS;
    int held = get(entry, POINTS);
    int chunk = get(entry, LAST);
    int at = from;
    while (at < to) {
      int slot = PointArena.slot(held);
      if (slot == 0 && held > 0) {
        long offset = timestampsMs[at] - baseMs;
        if (offset < 0 || offset >= PointBlock.HOUR_MS) {
          break;
        }
        int added = points.allocate(held);
        points.link(chunk, added);
        chunk = added;
      }
      int end = Math.min(to, at + PointArena.size(held) - slot);
      int taken = points.put(chunk, slot, timestampsMs, bits, isDouble, at, end, baseMs);
      held += taken - at;
      at = taken;
      if (taken < end) {
        break;
      }
    }
    set(entry, LAST, chunk);
    set(entry, POINTS, held);
    set(entry, TOUCHED, now);
    return at;
  }

  /** Copies the points of an hour, in the order of their arrival. */
  void copy(int entry, HourSorter into) {
    int held = get(entry, POINTS);
    int chunk = get(entry, FIRST);
    for (int from = 0; from < held; ) {
      int count = Math.min(held - from, PointArena.size(from));
      points.copy(chunk, count, into);
      from += count;
      chunk = points.after(chunk);
    }
  }

  /** Keys of all hours, in the order of series and time, for {@link #find}. */
  long[] keys() {
    long[] keys = Arrays.copyOf(lateKeys(), lateCount + newestCount);
    int next = lateCount;
    for (int place = 0; place < places; place++) {
      for (int entry = newest.get(place); entry != NONE; entry = next(entry)) {
        keys[next++] = key(entry);
      }
    }
    Arrays.sort(keys);
    return keys;
  }

  /** Keys of the late hours, in the order of series and time. */
  long[] lateKeys() {
    long[] keys = new long[lateCount];
    int next = 0;
    for (int slot : slots) {
      if (slot != 0) {
        keys[next++] = key(slot - 1);
      }
    }
    Arrays.sort(keys);
    return keys;
  }

  private long key(int entry) {
    return (long) series(entry) << Integer.SIZE | hour(entry);
  }

  /** The entry of a key. */
  int find(long key) {
    int series = (int) (key >>> Integer.SIZE);
    int hour = (int) key;
    for (int entry = newest(series); entry != NONE; entry = next(entry)) {
      if (hour(entry) == hour) {
        return entry;
      }
    }
    return slots[slotOf(series, hour)] - 1;
  }

  /** Removes all hours; the memory is kept for others. */
  void clear() {
    points.clear();
    newest = new IntBlocks(NONE);
    places = 0;
    clearSlots();
    newestCount = 0;
    given = 0;
    free = NONE;
  }

  private int get(int entry, int field) {
    return records[entry >> PAGE_BITS][((entry & (PAGE_HOURS - 1)) << FIELDS_BITS) + field];
  }

  private void set(int entry, int field, int value) {
    records[entry >> PAGE_BITS][((entry & (PAGE_HOURS - 1)) << FIELDS_BITS) + field] = value;
  }
}
