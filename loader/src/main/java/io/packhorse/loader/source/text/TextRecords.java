package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;

/** Parses texts that are in memory as a whole. */
public final class TextRecords {
  private TextRecords() {}

  /**
   * Parses all records of a text into a collector, which begins with it.
   *
   * @param buffer the text, and {@link ByteKeyIndex#PADDING} bytes more; must not change before the
   *     rejects are used
   * @param length of the text
   */
  public static void parse(byte[] buffer, int length, RecordFormat format, Points points)
      throws InputException {
    points.begin(buffer);
    long lines = 0;
    int at = 0;
    while (at < length) {
      long before = points.fastPathLines();
      at = format.readFastPath(buffer, at, length, points);
      lines += points.fastPathLines() - before;
      if (at == length) {
        return;
      }
      int end = format.recordEnd(buffer, at, length, true);
      points.at(lines);
      read(format, buffer, at, end, points);
      lines += format.countsLines() ? Lines.count(buffer, at, end) : 1;
      at = end;
    }
  }

  /** Parses the record {@code [from, end)}, its line end included. */
  static void read(RecordFormat format, byte[] buffer, int from, int end, Points points)
      throws InputException {
    int to = end;
    if (buffer[to - 1] == '\n') {
      to--;
    }
    if (to > from && buffer[to - 1] == '\r') {
      to--;
    }
    if (to - from > Rejects.RECORD_BYTES_MAX) {
      points.reject(Reason.LINE_TOO_LONG, from, to);
      return;
    }
    format.read(buffer, from, to, points);
  }
}
