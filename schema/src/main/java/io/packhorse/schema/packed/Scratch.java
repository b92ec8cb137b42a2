package io.packhorse.schema.packed;

/**
 * Scratch arrays that grow to the largest run so far and are reused; their content is undefined.
 */
final class Scratch {
  private Scratch() {}

  static byte[] bytes(byte[] kept, int length) {
    return kept.length < length ? new byte[length] : kept;
  }

  static int[] ints(int[] kept, int length) {
    return kept.length < length ? new int[length] : kept;
  }

  static long[] longs(long[] kept, int length) {
    return kept.length < length ? new long[length] : kept;
  }
}
