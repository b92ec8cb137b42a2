package io.packhorse.benchmarks.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of short lines, written fast. One thread. */
final class LineFile implements Closeable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int LINE_BYTES_MAX = 1 << 12;
  private static final int DIGITS_MAX = 19;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;

  /** Replaces what the file holds. */
  LineFile(Path file) throws IOException {
    out = Files.newOutputStream(file);
  }

  /** The bytes of a text in ASCII, for {@link #text}. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  LineFile text(byte[] ascii) {
    System.arraycopy(ascii, 0, buffer, at, ascii.length);
    at += ascii.length;
    return this;
  }

  /** A number in decimal digits. */
  LineFile number(long value) {
    long rest = value;
    if (value < 0) {
      buffer[at++] = '-';
      rest = -value;
    }
    int digits = 1;
    for (long bound = 10; digits < DIGITS_MAX && rest >= bound; bound *= 10) {
      digits++;
    }
    for (int i = at + digits - 1; i >= at; i--) {
      buffer[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    at += digits;
    return this;
  }

  /** A number of tenths, with its one decimal. */
  LineFile tenths(long value) {
    if (value < 0) {
      buffer[at++] = '-';
    }
    number(Math.abs(value) / 10);
    buffer[at++] = '.';
    return number(Math.abs(value) % 10);
  }

  /** Ends a line of at most 4 KiB. */
  void end() throws IOException {
    buffer[at++] = '\n';
    if (at > BUFFER_BYTES - LINE_BYTES_MAX) {
      out.write(buffer, 0, at);
      at = 0;
    }
  }

  @Override
  public void close() throws IOException {
    try (out) {
      out.write(buffer, 0, at);
    }
  }
}
