package io.packhorse.loader.source.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Lines and words in bytes. */
public final class Lines {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

  private Lines() {}

  /** Index of the next line feed, or -1; eight bytes a step, so up to seven more are read. */
  public static int feed(byte[] buffer, int from, int limit) {
    for (int i = from; i < limit; i += Long.BYTES) {
      long differences = (long) LONG.get(buffer, i) ^ (EACH_BYTE * '\n');
      long zeros = (differences - EACH_BYTE) & ~differences & (EACH_BYTE << 7);
      if (zeros != 0) {
        int found = i + (Long.numberOfTrailingZeros(zeros) >>> 3);
        return found < limit ? found : -1;
      }
    }
    return -1;
  }

  /**
   * Whether the bytes {@code [from, to)} of a word stand at an index of a buffer that has as many
   * there.
   */
  public static boolean startsWith(byte[] buffer, int at, byte[] word, int from, int to) {
    int offset = at - from;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      if ((long) LONG.get(buffer, offset + i) != (long) LONG.get(word, i)) {
        return false;
      }
    }
    if (i < to && to - from >= Long.BYTES) {
      return (long) LONG.get(buffer, offset + to - Long.BYTES)
          == (long) LONG.get(word, to - Long.BYTES);
    }
    for (; i < to; i++) {
      if (buffer[offset + i] != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** Number of line feeds. */
  static int count(byte[] buffer, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if (buffer[i] == '\n') {
        count++;
      }
    }
    return count;
  }

  /** Index of the first byte that is not a blank, or {@code to}. */
  public static int skipBlanks(byte[] buffer, int from, int to) {
    int at = from;
    while (at < to && isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  /** Index after the last byte that is not a blank, or {@code from}. */
  public static int trimBlanks(byte[] buffer, int from, int to) {
    int end = to;
    while (end > from && isBlank(buffer[end - 1])) {
      end--;
    }
    return end;
  }

  /** Index of the first blank, or {@code to}. */
  public static int endOfWord(byte[] buffer, int from, int to) {
    int at = from;
    while (at < to && !isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  /** Whether a byte is a space or a tab. */
  public static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
