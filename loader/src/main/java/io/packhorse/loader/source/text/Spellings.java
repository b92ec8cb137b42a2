package io.packhorse.loader.source.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Series ids by the bytes of metric and tags as they stand in lines, so that a line of a known
 * series makes no object. A series spelled in several ways has several entries with one id.
 *
 * <p>One thread. Buffers handed in must have {@link #PADDING} readable bytes after the words.
 */
public final class Spellings {
  /** Bytes that may be read, and are not looked at, behind a word. */
  public static final int PADDING = Long.BYTES;

  /** Result of {@link #find} for what was never added. */
  public static final int UNKNOWN = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Odd and unknown to who writes the input, so that no file can make all its series collide. */
  private final long multiplier = new SecureRandom().nextLong() | 1;

  /** Metric, a space, tags; null where free. Open addressing, at most half full. */
  private byte[][] spellings = new byte[1024][];

  private long[] hashes = new long[spellings.length];
  private int[] ids = new int[spellings.length];
  private int size;

  /** The id added for these very bytes, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    long hash = hash(buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    int mask = spellings.length - 1;
    for (int slot = (int) hash & mask; ids[slot] != 0; slot = (slot + 1) & mask) {
      if (hashes[slot] == hash
          && matches(spellings[slot], buffer, metricFrom, metricTo, tagsFrom, tagsTo)) {
        return ids[slot] - 1;
      }
    }
    return UNKNOWN;
  }

  /** The id added for these very bytes as a whole, or {@link #UNKNOWN}. */
  public int find(byte[] buffer, int from, int to) {
    return find(buffer, from, from, from, to);
  }

  /** As {@link #add(byte[], int, int, int, int, int)}, for bytes as a whole. */
  public void add(byte[] buffer, int from, int to, int id) {
    add(buffer, from, from, from, to, id);
  }

  /** Adds bytes that {@link #find} does not know; they are copied. */
  public void add(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo, int id) {
    if (size >= spellings.length / 2) {
      grow();
    }
    int metricLength = metricTo - metricFrom;
    byte[] spelling = new byte[metricLength + 1 + tagsTo - tagsFrom];
    System.arraycopy(buffer, metricFrom, spelling, 0, metricLength);
    spelling[metricLength] = ' ';
    System.arraycopy(buffer, tagsFrom, spelling, metricLength + 1, tagsTo - tagsFrom);
    place(spelling, hash(buffer, metricFrom, metricTo, tagsFrom, tagsTo), id + 1);
    size++;
  }

  /** {@code idPlusOne}: 0 marks a free slot. */
  private void place(byte[] spelling, long hash, int idPlusOne) {
    int mask = spellings.length - 1;
    int slot = (int) hash & mask;
    while (ids[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    spellings[slot] = spelling;
    hashes[slot] = hash;
    ids[slot] = idPlusOne;
  }

  private void grow() {
    byte[][] oldSpellings = spellings;
    long[] oldHashes = hashes;
    int[] oldIds = ids;
    spellings = new byte[oldSpellings.length * 2][];
    hashes = new long[spellings.length];
    ids = new int[spellings.length];
    for (int slot = 0; slot < oldSpellings.length; slot++) {
      if (oldIds[slot] != 0) {
        place(oldSpellings[slot], oldHashes[slot], oldIds[slot]);
      }
    }
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
