package io.packhorse.loader.source.text;

import io.packhorse.loader.source.record.TimeReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parses timestamps of 8 to 23 characters, followed by a blank or a line end, without parsing one
 * again that equals the one before. Holds the last timestamp. One thread.
 */
public final class TimestampFastPath {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LENGTH_MAX = 3 * Long.BYTES - 1;

  private final TimeReader time;
  private int length;
  private long start;

  /** The bytes from the ninth on, if there are sixteen or more. */
  private long middle;

  /** The last eight bytes, the one behind it among them. */
  private long end;

  private long millis;

  /**
   * @param time parses a timestamp that differs from the one before
   */
  public TimestampFastPath(TimeReader time) {
    this.time = time;
  }

  /**
   * Reads the timestamp that begins at an index; 24 bytes may be read.
   *
   * @return false if it is not a timestamp, or has another form
   */
  public boolean read(byte[] buffer, int from) {
    return isSame(buffer, from) || readOther(buffer, from);
  }

  private boolean isSame(byte[] buffer, int from) {
    return length > 0
        && (long) LONG.get(buffer, from) == start
        && (length < 2 * Long.BYTES || (long) LONG.get(buffer, from + Long.BYTES) == middle)
        && (long) LONG.get(buffer, from + length - Long.BYTES + 1) == end;
  }

  private boolean readOther(byte[] buffer, int from) {
    length = 0;
    int to = from;
    while (to - from <= LENGTH_MAX && buffer[to] > ' ') {
      to++;
    }
    if (to - from < Long.BYTES || to - from > LENGTH_MAX || !endsHere(buffer[to])) {
      return false;
    }
    millis = time.millis(buffer, from, to);
    if (millis < 0) {
      return false;
    }
    length = to - from;
    start = (long) LONG.get(buffer, from);
    middle = (long) LONG.get(buffer, from + Long.BYTES);
    end = (long) LONG.get(buffer, to - Long.BYTES + 1);
    return true;
  }

  private static boolean endsHere(byte next) {
    return next == ' ' || next == '\r' || next == '\n';
  }

  /** Characters of the last one. */
  public int length() {
    return length;
  }

  /** Milliseconds since 1970 of the last one. */
  public long millis() {
    return millis;
  }
}
