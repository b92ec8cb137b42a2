package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Memory for the points of many hours: each hour is a chain of chunks, in the order of arrival.
 * Chunks grow along a chain, so that few points take little memory and many points lie close
 * together: 8, 8, 16, 32 points, then 64 each. Memory is reused, never returned. One thread.
 */
final class PointArena {
  /** Points of the smallest chunks. */
  static final int CHUNK_POINTS_MIN = 8;

  /** Memory of a smallest chunk: offsets, values, and the number of the next chunk. */
  static final int CHUNK_BYTES_MIN =
      CHUNK_POINTS_MIN * (Integer.BYTES + Long.BYTES) + Integer.BYTES;

  /** In place of a chunk: none. */
  static final int NONE = -1;

  private static final int CHUNK_POINTS_MAX = 64;

  /** A page holds chunks of one size; chunk numbers count smallest chunks. */
  private static final int PAGE_BITS = 10;

  private static final int PAGE_CHUNKS = 1 << PAGE_BITS;

  /** By page: offset in milliseconds times two, plus one for a double. */
  private int[][] times = {};

  private long[][] bits = {};
  private int[][] next = {};

  /** Pages in use since the last {@link #clear}. */
  private int given;

  private int used;

  /** By size: the list of released chunks, and the unused rest of a page. */
  private final Size[] sizes = {new Size(), new Size(), new Size(), new Size()};

  private static final class Size {
    private int free = NONE;
    private int unused;
    private int end;
  }

  /** Size of the chunk that takes the next point of a chain. Chunk sizes double up to 64. */
  static int size(int points) {
    return Math.min(Math.max(Integer.highestOneBit(points), CHUNK_POINTS_MIN), CHUNK_POINTS_MAX);
  }

  /** Points already in that chunk; 0 if the chain needs a new one. */
  static int slot(int points) {
    return points & (size(points) - 1);
  }

  /** Bytes of the chunks in use. */
  long bytes() {
    return (long) used * CHUNK_BYTES_MIN;
  }

  /**
   * Allocates a chunk, to be the last of its chain.
   *
   * @param points in the chain so far, which decide the size
   */
  int allocate(int points) {
    int chunks = size(points) / CHUNK_POINTS_MIN;
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
      times[page] = new int[PAGE_CHUNKS * CHUNK_POINTS_MIN];
      bits[page] = new long[PAGE_CHUNKS * CHUNK_POINTS_MIN];
      next[page] = new int[PAGE_CHUNKS];
    }
    return page;
  }

  /** Releases the chunks of a chain. */
  void release(int first, int points) {
    int chunk = first;
    int before = 0;
    do {
      int after = after(chunk);
      int chunks = size(before) / CHUNK_POINTS_MIN;
      Size size = sizes[Integer.numberOfTrailingZeros(chunks)];
      link(chunk, size.free);
      size.free = chunk;
      used -= chunks;
      before += chunks * CHUNK_POINTS_MIN;
      chunk = after;
    } while (before < points);
  }

  /** Releases all chunks. */
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

  /** Sets the chunk after this one. */
  void link(int chunk, int after) {
    next[chunk >> PAGE_BITS][chunk & (PAGE_CHUNKS - 1)] = after;
  }

  /**
   * Writes points of one hour into a chunk that has room for them.
   *
   * @param slot first free place of the chunk
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
    int at = (chunk & (PAGE_CHUNKS - 1)) * CHUNK_POINTS_MIN + slot;
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

  /** Copies the first points of a chunk. */
  void copy(int chunk, int points, HourSorter into) {
    int page = chunk >> PAGE_BITS;
    into.take(times[page], bits[page], (chunk & (PAGE_CHUNKS - 1)) * CHUNK_POINTS_MIN, points);
  }
}
