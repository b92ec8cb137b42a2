package io.packhorse.loader.source.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds ids, of series for example, by the bytes of their keys as they stand in the input, so that
 * a line of a known series creates no object. A series written in several ways has an entry for
 * each.
 *
 * <p>Any number of threads look up, one at a time adds. Buffers passed in must have {@link
 * #PADDING} readable bytes after the key.
 */
public final class ByteKeyIndex {
  /** Bytes after a key that may be read and are ignored. */
  public static final int PADDING = Long.BYTES;

  /** Keys that there is always room for, and more for each series. */
  private static final int ROOM_MIN = 1 << 18;

  private static final int ROOM_FOR_SERIES = 4;

  /** Result of {@link #find} for what was never added. */
  public static final int UNKNOWN = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ID = MethodHandles.arrayElementVarHandle(int[].class);

  /** Odd and random, so that no input can be written to make its series collide. */
  private final long multiplier = new SecureRandom().nextLong() | 1;

  private volatile Entries entries = new Entries(1024);
  private int size;

  /** Entries with an id of at least 0. */
  private int ofSeries;

  /**
   * Open addressing, at most half full. An id is stored plus one, 0 being a free slot; storing it
   * publishes the entry to other threads.
   */
  private static final class Entries {
    /** Metric, a space, tags. */
    private final byte[][] spellings;

    private final long[] hashes;
    private final int[] ids;

    Entries(int length) {
      spellings = new byte[length][];
      hashes = new long[length];
      ids = new int[length];
    }

    void place(byte[] spelling, long hash, int idPlusOne) {
      int mask = ids.length - 1;
      int slot = (int) hash & mask;
      while (ids[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      spellings[slot] = spelling;
      hashes[slot] = hash;
      ID.setRelease(ids, slot, idPlusOne);
    }
  }

  /** The id of the key made of metric and tags, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    Entries here = entries;
    int slot = slot(here, buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    return slot < 0 ? UNKNOWN : here.ids[slot] - 1;
  }

  /** The stored key, metric, a space and tags, or null. Must not be changed. */
  public byte @Nullable [] spelling(
      byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    Entries here = entries;
    int slot = slot(here, buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    return slot < 0 ? null : here.spellings[slot];
  }

  private int slot(
      Entries here, byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    long hash = hash(buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    int mask = here.ids.length - 1;
    int slot = (int) hash & mask;
    while ((int) ID.getAcquire(here.ids, slot) != 0) {
      if (here.hashes[slot] == hash
          && matches(here.spellings[slot], buffer, metricFrom, metricTo, tagsFrom, tagsTo)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** The id of a key of one part, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int from, int to) {
    return find(buffer, from, from, from, to);
  }

  /** As {@link #add(byte[], int, int, int, int, int)}, for a key of one part. */
  public void add(byte[] buffer, int from, int to, int id) {
    add(buffer, from, from, from, to, id);
  }

  /** Adds a copy of a key, unless another thread has just added it. */
  public synchronized void add(
      byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo, int id) {
    if (slot(entries, buffer, metricFrom, metricTo, tagsFrom, tagsTo) >= 0) {
      return;
    }
    if (size >= entries.ids.length / 2) {
      grow();
    }
    int metricLength = metricTo - metricFrom;
    byte[] spelling = new byte[metricLength + 1 + tagsTo - tagsFrom];
    System.arraycopy(buffer, metricFrom, spelling, 0, metricLength);
    spelling[metricLength] = ' ';
    System.arraycopy(buffer, tagsFrom, spelling, metricLength + 1, tagsTo - tagsFrom);
    entries.place(spelling, hash(buffer, metricFrom, metricTo, tagsFrom, tagsTo), id + 1);
    size++;
    ofSeries += id >= 0 ? 1 : 0;
  }

  /** As {@link #hasRoom(int, int)}, for another key with an id of at least 0. */
  public synchronized boolean hasRoom(int series) {
    return hasRoom(ofSeries, series);
  }

  /**
   * Whether to keep another key. If the user drops a tag that differs in every line, no key ever
   * repeats, and keeping them all would fill the memory: so at most 2^18 + 4 * series are kept.
   *
   * @param spellings kept so far
   * @param series number of series so far
   */
  public static boolean hasRoom(int spellings, int series) {
    return spellings < ROOM_MIN + (long) ROOM_FOR_SERIES * series;
  }

  private void grow() {
    Entries old = entries;
    Entries grown = new Entries(old.ids.length * 2);
    for (int slot = 0; slot < old.ids.length; slot++) {
      if (old.ids[slot] != 0) {
        grown.place(old.spellings[slot], old.hashes[slot], old.ids[slot]);
      }
    }
    entries = grown;
  }

  private static boolean matches(
      byte[] spelling, byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    // A metric holds no space, so the space after it cannot be one of the tags.
    int metricLength = metricTo - metricFrom;
    return spelling.length == metricLength + 1 + tagsTo - tagsFrom
        && spelling[metricLength] == ' '
        && Arrays.equals(spelling, 0, metricLength, buffer, metricFrom, metricTo)
        && Arrays.equals(spelling, metricLength + 1, spelling.length, buffer, tagsFrom, tagsTo);
  }

  private long hash(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    return hash(
        hash(metricTo - metricFrom, buffer, metricFrom, metricTo), buffer, tagsFrom, tagsTo);
  }

  private long hash(long start, byte[] buffer, int from, int to) {
    long hash = start;
    if (from == to) {
      return mix(hash);
    }
    int at = from;
    for (; to - at > Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(buffer, at));
    }
    long last = (long) LONG.get(buffer, at);
    int otherBits = Long.SIZE - Byte.SIZE * (to - at);
    return mix(hash ^ (last << otherBits >>> otherBits));
  }

  private long mix(long word) {
    return Math.multiplyHigh(word, multiplier) ^ (word * multiplier);
  }
}
