package io.packhorse.loader.source.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Series ids by the bytes of metric and tags as they stand in lines, so that a line of a known
 * series makes no object. A series spelled in several ways has several entries with one id.
 *
 * <p>Any number of threads; they add one at a time. Buffers handed in must have {@link #PADDING}
 * readable bytes after the words.
 */
public final class Spellings {
  /** Bytes that may be read, and are not looked at, behind a word. */
  public static final int PADDING = Long.BYTES;

  /** Spellings that there is room for in any case, and for each series. */
  private static final int ROOM_MIN = 1 << 18;

  private static final int ROOM_FOR_SERIES = 4;

  /** Result of {@link #find} for what was never added. */
  public static final int UNKNOWN = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ID = MethodHandles.arrayElementVarHandle(int[].class);

  /** Odd and unknown to who writes the input, so that no file can make all its series collide. */
  private final long multiplier = new SecureRandom().nextLong() | 1;

  private volatile Entries entries = new Entries(1024);
  private int size;

  /** Those with an id of at least 0. */
  private int ofSeries;

  /**
   * Open addressing, at most half full. An entry is there for others once its id is, which is kept
   * plus one: 0 marks a free slot.
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

  /** The id added for these very bytes, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    Entries here = entries;
    int slot = slot(here, buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    return slot < 0 ? UNKNOWN : here.ids[slot] - 1;
  }

  /** The bytes added for these very bytes, metric, a space and tags, or null. Not to be changed. */
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

  /** The id added for these very bytes as a whole, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int from, int to) {
    return find(buffer, from, from, from, to);
  }

  /** As {@link #add(byte[], int, int, int, int, int)}, for bytes as a whole. */
  public void add(byte[] buffer, int from, int to, int id) {
    add(buffer, from, from, from, to, id);
  }

  /** Adds bytes; they are copied. Those that another thread has added meanwhile stay. */
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

  /** As {@link #hasRoom(int, int)}, for another one with an id of at least 0. */
  public synchronized boolean hasRoom(int series) {
    return hasRoom(ofSeries, series);
  }

  /**
   * Whether to keep another spelling. Where users leave a tag out that is another in every line,
   * none ever comes again, and all of them would fill the memory.
   *
   * @param spellings kept so far
   * @param series that they are of, and others
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
    int unused = Long.SIZE - Byte.SIZE * (to - at);
    return mix(hash ^ (last << unused >>> unused));
  }

  private long mix(long word) {
    return Math.multiplyHigh(word, multiplier) ^ (word * multiplier);
  }
}
