package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The bytes of a file between two places, from the first on. One thread; the file stays the
 * caller's.
 *
 * <p>A failure to read the file is thrown unchecked, so that the Parquet library does not mistake
 * it for damage.
 */
final class FileBytes extends InputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private final long end;
  private long place;

  FileBytes(FileChannel file, long start, long end) {
    this.file = file;
    this.place = start;
    this.end = end;
  }

  /** Bytes to come. */
  long left() {
    return end - place + buffer.remaining();
  }

  /**
   * All bytes between two places.
   *
   * @throws DamagedInputException if the file has fewer
   */
  static byte[] read(FileChannel file, long start, int length) throws IOException {
    byte[] bytes = new byte[length];
    ByteBuffer into = ByteBuffer.wrap(bytes);
    while (into.hasRemaining()) {
      if (file.read(into, start + into.position()) < 0) {
        throw new DamagedInputException("Parquet file is cut short");
      }
    }
    return bytes;
  }

  @Override
  public int read() {
    return buffer.hasRemaining() || refill() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) {
    if (length == 0) {
      return 0;
    }
    if (!buffer.hasRemaining() && !refill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(into, from, count);
    return count;
  }

  private boolean refill() {
    buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - place));
    try {
      int count = buffer.hasRemaining() ? file.read(buffer, place) : -1;
      place += Math.max(0, count);
      buffer.flip();
      return count > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
