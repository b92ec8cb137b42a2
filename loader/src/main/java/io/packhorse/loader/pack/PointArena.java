package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Points of many hours as they arrived; a chain of chunks holds those of one hour. Its chunks grow,
 * so that few points take little and many lie close together: two of eight points, then each of as
 * many as there are before it, up to 64. Memory once taken is kept for other chunks. One thread.
 */
final class PointArena {
  /** Points of the least chunks. */
  static final int LEAST_POINTS = 8;

  /** What a least chunk takes: offsets, values, and the number of the chunk after it. */
  static final int LEAST_BYTES = LEAST_POINTS * (Integer.BYTES + Long.BYTES) + Integer.BYTES;

  /** Instead of a chunk. */
  static final int NONE = -1;

  private static final int MOST_POINTS = 64;

  /** A page holds chunks of one size; they are numbered by the least chunks that fit before. */
  private static final int PAGE_BITS = 10;

  private static final int PAGE_CHUNKS = 1 << PAGE_BITS;

  /** By page: offset in milliseconds times two, plus one for a double. */
  private int[][] times = {};

  private long[][] bits = {};
  private int[][] next = {};

  /** Pages given out since the last {@link #clear}. */
  private int given;

  private int used;

  /** By size: the first of the chunks given back, and what is left of a page. */
  private final Size[] sizes = {new Size(), new Size(), new Size(), new Size()};

  private static final class Size {
    private int free = NONE;
    private int unused;
    private int end;
  }

  /** Points of the chunk that a chain with so many points goes on in. */
  static int size(int points) {
    return Math.min(Math.max(Integer.highestOneBit(points), LEAST_POINTS), MOST_POINTS);
  }

  /** Points that this chunk has already; 0 if it is a new one. */
  static int slot(int points) {
    return points & (size(points) - 1);
  }

  /** Bytes of the chunks in use. */
  long bytes() {
    return (long) used * LEAST_BYTES;
  }

  /**
   * A chunk that is nobody's, the last of its chain.
   *
   * @param points of the chain so far
   */
  int take(int points) {
    int chunks = size(points) / LEAST_POINTS;
    Size size = sizes[Integer.numberOfTrailingZeros(chunks)];
    used += chunks;
    int chunk = size.free;
    if (chunk == NONE) {
      if (size.unused == size.end) {
        size.unused = newPage() << PAGE_BITS;
        size.end = size.unused + PAGE_CHUNKS;
      }
      chunk = size.unused;
      size.unused += chunks;
    } else {
      size.free = after(chunk);
    }
    link(chunk, NONE);
    return chunk;
  }

  private int newPage() {
    int page = given++;
    if (page == times.length) {
      times = Arrays.copyOf(times, page + 1);
      bits = Arrays.copyOf(bits, page + 1);
      next = Arrays.copyOf(next, page + 1);
      times[page] = new int[PAGE_CHUNKS * LEAST_POINTS];
      bits[page] = new long[PAGE_CHUNKS * LEAST_POINTS];
      next[page] = new int[PAGE_CHUNKS];
    }
    return page;
  }

  /** Gives a chain with so many points back. */
  void give(int first, int points) {
    int chunk = first;
    int before = 0;
    do {
      int after = after(chunk);
      int chunks = size(before) / LEAST_POINTS;
      Size size = sizes[Integer.numberOfTrailingZeros(chunks)];
      link(chunk, size.free);
      size.free = chunk;
      used -= chunks;
      before += chunks * LEAST_POINTS;
      chunk = after;
    } while (before < points);
  }

  /** Gives all chunks back. */
  void clear() {
    given = 0;
    used = 0;
    for (Size size : sizes) {
      size.free = NONE;
      size.unused = 0;
      size.end = 0;
    }
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
   * Takes points of one hour into a chunk, which has room for them.
   *
   * @param slot first free one of the chunk
   * @param baseMs start of the hour
   * @return index of the first point not taken: one of another hour, or {@code to}
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
    int at = (chunk & (PAGE_CHUNKS - 1)) * LEAST_POINTS + slot;
    for (int i = from; i < to; i++) {
      long offset = timestampsMs[i] - baseMs;
      if (offset < 0 || offset >= PointBlock.HOUR_MS) {
        return i;
      }
      toTimes[at] = (int) offset << 1 | (isDouble[i] ? 1 : 0);
      toBits[at] = values[i];
      at++;
    }
    return to;
  }

  /** Hands the first points of a chunk on. */
  void copy(int chunk, int points, HourPoints into) {
    int page = chunk >> PAGE_BITS;
    into.take(times[page], bits[page], (chunk & (PAGE_CHUNKS - 1)) * LEAST_POINTS, points);
  }
}
