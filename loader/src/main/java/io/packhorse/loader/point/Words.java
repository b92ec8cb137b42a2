package io.packhorse.loader.point;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Different strings, numbered from 0 in order of first appearance. They are kept as bytes: millions
 * of objects would take three times the memory. One thread at a time.
 */
public final class Words {
  /** Instead of a number: the word has none. */
  public static final int NONE = NumberTable.NONE;

  private static final int BLOCK_BITS = 16;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int BLOCKS_MAX = 1 << (Integer.SIZE - BLOCK_BITS);

  /** Before each word, its length. */
  private static final int LENGTH_BYTES = Short.BYTES;

  private static final int LENGTH_MAX = BLOCK - LENGTH_BYTES;

  /** Odd and random, so that no input can be written to make its names collide. */
  private final int multiplier = new SecureRandom().nextInt() | 1;

  private final NumberTable numbers = new NumberTable();

  /** Of each word: its block and its place there. */
  private final IntBlocks places = new IntBlocks(0);

  /** No word lies in two of them. */
  private byte[][] blocks = {};

  private int given;

  /** Bytes of the last block in use. */
  private int used = BLOCK;

  /**
   * The number of a word.
   *
   * @param add whether a new one gets a number; else it has {@link #NONE}
   */
  public int number(String word, boolean add) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    int hash = hash(bytes, 0, bytes.length);
    for (int slot = numbers.first(hash); ; slot = numbers.after(slot)) {
      int number = numbers.number(slot);
      if (number == NONE) {
        return add ? add(bytes) : NONE;
      }
      if (is(number, bytes)) {
        return number;
      }
    }
  }

  private boolean is(int number, byte[] word) {
    int place = places.get(number);
    byte[] block = blocks[place >>> BLOCK_BITS];
    int at = place & (BLOCK - 1);
    int start = at + LENGTH_BYTES;
    return length(block, at) == word.length
        && Arrays.equals(block, start, start + word.length, word, 0, word.length);
  }

  private int add(byte[] word) {
    if (word.length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a name must have at most " + LENGTH_MAX + " bytes: length=" + word.length);
    }
    if (used + LENGTH_BYTES + word.length > BLOCK) {
      newBlock();
    }
    byte[] block = blocks[given - 1];
    int number = numbers.size();
    places.set(number, (given - 1) << BLOCK_BITS | used);
    block[used] = (byte) (word.length >>> Byte.SIZE);
    block[used + 1] = (byte) word.length;
    System.arraycopy(word, 0, block, used + LENGTH_BYTES, word.length);
    used += LENGTH_BYTES + word.length;
    numbers.add(this::hash);
    return number;
  }

  private void newBlock() {
    if (given == BLOCKS_MAX) {
      throw new IllegalStateException("the names of a load must have at most 4 GiB");
    }
    if (given == blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(1, 2 * given));
    }
    blocks[given++] = new byte[BLOCK];
    used = 0;
  }

  private int hash(int number) {
    int place = places.get(number);
    byte[] block = blocks[place >>> BLOCK_BITS];
    int at = place & (BLOCK - 1);
    int start = at + LENGTH_BYTES;
    return hash(block, start, start + length(block, at));
  }

  private int hash(byte[] bytes, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * multiplier;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  private static int length(byte[] block, int at) {
    return (block[at] & 0xff) << Byte.SIZE | (block[at + 1] & 0xff);
  }

  /** The word with a number. */
  public String get(int number) {
    int place = places.get(number);
    byte[] block = blocks[place >>> BLOCK_BITS];
    int at = place & (BLOCK - 1);
    return new String(block, at + LENGTH_BYTES, length(block, at), StandardCharsets.UTF_8);
  }

  /** How many there are. */
  public int size() {
    return numbers.size();
  }
}
