package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Points of many hours as they arrived, in chunks of eight; a chain of chunks holds those of one
 * hour. Memory once taken is kept for other chunks. One thread.
 */
final class PointArena {
  /** Points of a chunk. */
  static final int CHUNK_POINTS = 8;

  /** What a chunk takes: offsets, values, and the number of the chunk after it. */
  static final int CHUNK_BYTES = CHUNK_POINTS * (Integer.BYTES + Long.BYTES) + Integer.BYTES;

  /** Instead of a chunk. */
  static final int NONE = -1;

  private static final int PAGE_BITS = 10;
  private static final int PAGE_CHUNKS = 1 << PAGE_BITS;

  /** By page: offset in milliseconds times two, plus one for a double. */
  private int[][] times = {};

  private long[][] bits = {};
  private int[][] next = {};

  /** Chunks given out since the last {@link #clear}, and the first of those given back. */
  private int given;

  private int free = NONE;
  private int used;

  /** Bytes of the chunks in use. */
  long bytes() {
    return (long) used * CHUNK_BYTES;
  }

  /** A chunk that is nobody's, the last of its chain. */
  int take() {
    used++;
    int chunk = free;
    if (chunk == NONE) {
      chunk = given++;
      if (chunk >> PAGE_BITS == times.length) {
        addPage();
      }
    } else {
      free = after(chunk);
    }
    link(chunk, NONE);
    return chunk;
  }

  private void addPage() {
    int page = times.length;
    times = Arrays.copyOf(times, page + 1);
    bits = Arrays.copyOf(bits, page + 1);
    next = Arrays.copyOf(next, page + 1);
    times[page] = new int[PAGE_CHUNKS * CHUNK_POINTS];
    bits[page] = new long[PAGE_CHUNKS * CHUNK_POINTS];
    next[page] = new int[PAGE_CHUNKS];
  }

  /** Gives a chain back. */
  void give(int first, int last, int chunks) {
    link(last, free);
    free = first;
    used -= chunks;
  }

  /** Gives all chunks back. */
  void clear() {
    given = 0;
    free = NONE;
    used = 0;
  }

  /** The chunk after this one, or {@link #NONE}. */
  int after(int chunk) {
    return next[chunk >> PAGE_BITS][chunk & (PAGE_CHUNKS - 1)];
  }

  /** Makes a chunk the one after another. */
  void link(int chunk, int after) {
    next[chunk >> PAGE_BITS][chunk & (PAGE_CHUNKS - 1)] = after;
  }

  /**
   * Takes points of one hour into a chunk while there is room.
   *
   * @param slot first free one of the chunk
   * @param baseMs start of the hour
   * @return index of the first point not taken: no room, another hour, or {@code to}
   */
  int put(
      int chunk,
      int slot,
      long[] timestampsMs,
      long[] values,
      boolean[] isDouble,
      int from,
      int to,
      long baseMs) {
    int page = chunk >> PAGE_BITS;
    int[] toTimes = times[page];
    long[] toBits = bits[page];
    int at = (chunk & (PAGE_CHUNKS - 1)) * CHUNK_POINTS + slot;
    int end = Math.min(to, from + CHUNK_POINTS - slot);
    for (int i = from; i < end; i++) {
      long offset = timestampsMs[i] - baseMs;
      if (offset < 0 || offset >= PointBlock.HOUR_MS) {
        return i;
      }
      toTimes[at] = (int) offset << 1 | (isDouble[i] ? 1 : 0);
      toBits[at] = values[i];
      at++;
    }
    return end;
  }

  /** Hands the first points of a chunk on. */
  void copy(int chunk, int points, HourPoints into) {
    int page = chunk >> PAGE_BITS;
    into.take(times[page], bits[page], (chunk & (PAGE_CHUNKS - 1)) * CHUNK_POINTS, points);
  }
}
