package io.packhorse.loader.point;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Longs by index, which grow by blocks: nothing is copied, and little is unused. An index is
 * unsigned. One thread at a time writes; another may read what was written before it was told the
 * index.
 */
public final class LongBlocks {
  private static final int BLOCK_BITS = 14;
  private static final int BLOCK = 1 << BLOCK_BITS;

  private final long absent;
  private volatile long[] @Nullable [] blocks = new long[0][];

  /**
   * @param absent the value at each index that was not set
   */
  public LongBlocks(long absent) {
    this.absent = absent;
  }

  /** The value at an index. */
  public long get(int index) {
    long[] @Nullable [] all = blocks;
    int number = index >>> BLOCK_BITS;
    long[] block = number < all.length ? all[number] : null;
    return block == null ? absent : block[index & (BLOCK - 1)];
  }

  /** Sets the value at an index. */
  public void set(int index, long value) {
    long[] @Nullable [] all = blocks;
    int number = index >>> BLOCK_BITS;
    long[] block = number < all.length ? all[number] : null;
    if (block == null) {
      block = new long[BLOCK];
      Arrays.fill(block, absent);
      if (number >= all.length) {
        all = Arrays.copyOf(all, Math.max(number + 1, all.length + (all.length >> 1)));
      }
      all[number] = block;
      // Makes the new block known to readers.
      blocks = all;
    }
    block[index & (BLOCK - 1)] = value;
  }
}
