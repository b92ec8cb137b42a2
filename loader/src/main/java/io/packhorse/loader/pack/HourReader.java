package io.packhorse.loader.pack;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Reads the records of a {@link HourFile} in order. One thread. */
final class HourReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 15;
  private static final int VAR_INT_SHIFT_MAX = 28;

  private final HourFile file;
  private final FileChannel channel;
  private final long bytes;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();

  HourReader(HourFile file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file.path(), StandardOpenOption.READ);
    this.bytes = channel.size();
  }

  /**
   * The next record, or null at the end.
   *
   * @throws IOException if the file cannot be read or is damaged
   */
  @Nullable SavedHour next() throws IOException {
    if (!buffer.hasRemaining() && !fill()) {
      return null;
    }
    int series = readVarInt();
    int hour = readVarInt();
    int points = readVarInt();
    int length = readVarInt();
    if (length > bytes) {
      throw new IOException(file.path() + " is damaged: an hour of " + length + " bytes");
    }
    byte[] cell = new byte[length];
    int at = 0;
    while (at < length) {
      require();
      int count = Math.min(length - at, buffer.remaining());
      buffer.get(cell, at, count);
      at += count;
    }
    return new SavedHour(series, hour, points, cell);
  }

  private int readVarInt() throws IOException {
    int value = 0;
    for (int shift = 0; shift <= VAR_INT_SHIFT_MAX; shift += 7) {
      require();
      int next = buffer.get();
      value |= (next & 0x7f) << shift;
      if (next >= 0 && value >= 0) {
        return value;
      }
    }
    throw new IOException(file.path() + " is damaged: a number of more than 31 bits");
  }

  private void require() throws IOException {
    if (!buffer.hasRemaining() && !fill()) {
      throw new EOFException(file.path() + " ends within an hour");
    }
  }

  private boolean fill() throws IOException {
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
