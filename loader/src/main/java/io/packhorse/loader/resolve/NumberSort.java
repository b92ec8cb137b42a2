package io.packhorse.loader.resolve;

import java.util.function.IntBinaryOperator;

/** Sorts numbers by what they stand for, without an object for each. Fast where most are sorted. */
final class NumberSort {
  private static final int INSERTION_MAX = 8;

  private final int[] numbers;
  private final IntBinaryOperator compare;
  private final int[] left;

  private NumberSort(int[] numbers, IntBinaryOperator compare) {
    this.numbers = numbers;
    this.compare = compare;
    this.left = new int[(numbers.length + 1) / 2];
  }

  /** The numbers from 0 up to {@code count}, in order; equal ones stay as they are. */
  static int[] sorted(int count, IntBinaryOperator compare) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    new NumberSort(numbers, compare).sort(0, count);
    return numbers;
  }

  private void sort(int from, int to) {
    if (to - from <= INSERTION_MAX) {
      insert(from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    sort(from, middle);
    sort(middle, to);
    if (compare.applyAsInt(numbers[middle - 1], numbers[middle]) > 0) {
      merge(from, middle, to);
    }
  }

  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int number = numbers[i];
      int at = i;
      for (; at > from && compare.applyAsInt(numbers[at - 1], number) > 0; at--) {
        numbers[at] = numbers[at - 1];
      }
      numbers[at] = number;
    }
  }

  private void merge(int from, int middle, int to) {
    int count = middle - from;
    System.arraycopy(numbers, from, left, 0, count);
    int next = 0;
    int right = middle;
    for (int at = from; next < count; at++) {
      if (right < to && compare.applyAsInt(left[next], numbers[right]) > 0) {
        numbers[at] = numbers[right++];
      } else {
        numbers[at] = left[next++];
      }
    }
  }
}
