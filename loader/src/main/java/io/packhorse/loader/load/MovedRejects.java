package io.packhorse.loader.load;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Copies rejected lines as {@link io.packhorse.loader.source.record.Rejects} writes them, whose
 * numbers were counted from the beginning of a part of their input. Closes nothing; one thread.
 */
final class MovedRejects extends FilterOutputStream {
  /** Of the second field, which holds the number. */
  private static final int NUMBER = 1;

  private final long linesBefore;
  private int field;
  private long number;

  /**
   * @param linesBefore lines of the input before that part
   */
  MovedRejects(OutputStream to, long linesBefore) {
    super(to);
    this.linesBefore = linesBefore;
  }

  @Override
  public void write(int b) throws IOException {
    if (field == NUMBER && b >= '0' && b <= '9') {
      number = 10 * number + b - '0';
      return;
    }
    if (field == NUMBER && number > 0) {
      out.write(Long.toString(number + linesBefore).getBytes(StandardCharsets.US_ASCII));
      number = 0;
    }
    if (b == '\t') {
      field++;
    } else if (b == '\n') {
      field = 0;
    }
    out.write(b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (linesBefore == 0) {
      out.write(bytes, from, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      write(bytes[from + i]);
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
