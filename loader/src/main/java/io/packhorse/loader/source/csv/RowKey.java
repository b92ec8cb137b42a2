package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.Spellings;
import java.util.Arrays;

/**
 * Some fields of a row as bytes that no other fields make, and why they name no series if they do
 * not. One thread.
 */
public final class RowKey {
  private byte[] bytes = new byte[256];
  private int length;
  private Reason reason = Reason.NO_TAG;

  /** The bytes {@code [0, length)}, {@link Spellings#PADDING} more behind them. */
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
    if (end + Spellings.PADDING > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (end + Spellings.PADDING));
    }
    bytes[length] = (byte) (more >>> 16);
    bytes[length + 1] = (byte) (more >>> 8);
    bytes[length + 2] = (byte) more;
    System.arraycopy(fields.bytes(), fields.from(column), bytes, length + 3, more);
    length = end;
  }

  /** Why it names no series, where that was last found. */
  public Reason reason() {
    return reason;
  }

  void refuse(Reason why) {
    reason = why;
  }
}
