package io.packhorse.schema.packed;

/** Work arrays that grow to the largest run met and are then kept; their content is undefined. */
final class Scratch {
  private Scratch() {}

  static byte[] bytes(byte[] kept, int length) {
    return kept.length < length ? new byte[length] : kept;
  }

  static short[] shorts(short[] kept, int length) {
    return kept.length < length ? new short[length] : kept;
  }

  static int[] ints(int[] kept, int length) {
    return kept.length < length ? new int[length] : kept;
  }

  static long[] longs(long[] kept, int length) {
    return kept.length < length ? new long[length] : kept;
  }
}
