package io.packhorse.loader.point;

import java.util.function.IntUnaryOperator;

/**
 * A hash table of numbers given from 0 on; whoever uses it keeps what they stand for. Open
 * addressing, at most three quarters full. One thread at a time.
 */
final class NumberTable {
  static final int NONE = -1;

  private static final int HASH = 0x9e37_79b9;

  /** Numbers plus one; 0 where free. */
  private int[] slots = new int[64];

  private int size;

  /** The slot where a number with this hash is looked for first. */
  int first(int hash) {
    int mixed = hash * HASH;
    return (mixed ^ (mixed >>> 16)) & (slots.length - 1);
  }

  /** The slot where it is looked for next. */
  int after(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  /** The number in a slot; {@link #NONE} if it is free, and what was looked for is not there. */
  int number(int slot) {
    return slots[slot] - 1;
  }

  /**
   * Adds the next number.
   *
   * @param hashOf the hash of each number, this one included
   */
  void add(IntUnaryOperator hashOf) {
    if (size >= slots.length / 4 * 3) {
      slots = new int[2 * slots.length];
      for (int number = 0; number < size; number++) {
        place(number, hashOf);
      }
    }
    place(size++, hashOf);
  }

  private void place(int number, IntUnaryOperator hashOf) {
    int slot = first(hashOf.applyAsInt(number));
    while (slots[slot] != 0) {
      slot = after(slot);
    }
    slots[slot] = number + 1;
  }

  /** Numbers added so far. */
  int size() {
    return size;
  }
}
