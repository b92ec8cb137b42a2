package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.util.Arrays;

/**
 * The tag fields of a row, encoded so that different fields give different bytes, and the reason if
 * they are rejected. One thread.
 */
public final class RowKey {
  private byte[] bytes = new byte[256];
  private int length;
  private Reason reason = Reason.NO_TAG;

  /** The bytes {@code [0, length)}, {@link ByteKeyIndex#PADDING} more behind them. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void begin() {
    length = 0;
  }

  /** Appends a field with its length. */
  void append(RowFields fields, int column) {
    int more = fields.to(column) - fields.from(column);
    int end = length + 3 + more;
    if (end + ByteKeyIndex.PADDING > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (end + ByteKeyIndex.PADDING));
    }
    bytes[length] = (byte) (more >>> 16);
    bytes[length + 1] = (byte) (more >>> 8);
    bytes[length + 2] = (byte) more;
    System.arraycopy(fields.bytes(), fields.from(column), bytes, length + 3, more);
    length = end;
  }

  /** Why the last row was rejected. */
  public Reason reason() {
    return reason;
  }

  void refuse(Reason why) {
    reason = why;
  }
}
