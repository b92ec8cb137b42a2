package io.packhorse.loader.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads lines of bytes, however long their input says they are: of a line above {@link
 * ImportLinesSource#LINE_BYTES_MAX} only the front is kept. Line ends are LF or CR LF. One thread.
 */
final class LineReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;

  private final byte[] line = new byte[ImportLinesSource.LINE_BYTES_MAX];
  private int length;
  private boolean tooLong;
  private long number;
  private long offset;
  private long nextOffset;

  LineReader(InputStream in) {
    this.in = in;
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    length = 0;
    tooLong = false;
    offset = nextOffset;
    int next = read();
    if (next < 0) {
      return false;
    }
    number++;
    while (next >= 0 && next != '\n') {
      if (length < line.length) {
        line[length++] = (byte) next;
      } else {
        tooLong = true;
      }
      next = read();
    }
    if (!tooLong && length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return true;
  }

  private int read() throws IOException {
    if (at == limit) {
      limit = Math.max(0, in.read(buffer));
      at = 0;
      if (limit == 0) {
        return -1;
      }
    }
    nextOffset++;
    return buffer[at++] & 0xff;
  }

  /** The line's bytes; valid up to {@link #length} and until the next line. */
  byte[] bytes() {
    return line;
  }

  /** Bytes kept, the line end not counted. */
  int length() {
    return length;
  }

  /** Whether more bytes came than were kept. */
  boolean tooLong() {
    return tooLong;
  }

  /** Number of the line, from 1. */
  long number() {
    return number;
  }

  /** Place of its first byte in the input, from 0. */
  long offset() {
    return offset;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
