package io.packhorse.benchmarks.load;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** Bytes of a text from the first line that begins in a part to the end of the last. One thread. */
final class TextBytes {
  private static final int WINDOW = 1 << 22;
  private static final int LINE_BYTES_MAX = 1 << 12;

  private final FileChannel channel;
  private final long size;
  private final long to;
  private final byte[] window = new byte[WINDOW];

  /** Place of {@code window[0]} in the text. */
  private long offset;

  private int at;
  private int limit;

  TextBytes(FileChannel channel, long from, long to) throws IOException {
    this.channel = channel;
    this.size = channel.size();
    this.to = to;
    this.offset = from == 0 ? 0 : from - 1;
    if (from > 0 && hasLine()) {
      skipPast('\n');
    }
  }

  /** Goes to the next line; each before it must have been read to its last word. */
  boolean hasLine() throws IOException {
    if (at > 0 && at < limit && window[at] == '\n') {
      at++;
    }
    if (offset + at >= to || offset + at >= size) {
      return false;
    }
    if (limit - at < LINE_BYTES_MAX && offset + limit < size) {
      fill();
    }
    return true;
  }

  private void fill() throws IOException {
    offset += at;
    at = 0;
    limit = (int) Math.min(WINDOW, size - offset);
    MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, offset, limit);
    mapped.get(window, 0, limit);
  }

  void skipPast(char c) {
    while (window[at++] != c) {
      // On.
    }
  }

  /** A number and the byte behind it, unless that ends the line. */
  long number() {
    boolean negative = window[at] == '-';
    at += negative ? 1 : 0;
    long number = 0;
    while (at < limit && window[at] >= '0' && window[at] <= '9') {
      number = number * 10 + window[at++] - '0';
    }
    skipBlank();
    return negative ? -number : number;
  }

  private void skipBlank() {
    if (at < limit && window[at] != '\n') {
      at++;
    }
  }

  /** A number with one decimal, and the byte behind it. */
  double decimal() {
    boolean negative = window[at] == '-';
    long whole = Math.abs(number());
    long tenths = 10 * whole + number();
    return (negative ? -tenths : tenths) / 10.0;
  }
}
