package io.packhorse.loader.pack;

import io.packhorse.schema.bytes.ByteWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Writes a {@link HourFile}; closing it before {@link #finish} deletes the file. One thread. */
final class HourWriter implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final FileChannel channel;
  private final ByteWriter buffer = new ByteWriter(1 << 10);
  private final CRC32C crc = new CRC32C();
  private boolean finished;

  /**
   * @param file overwritten if it exists
   */
  HourWriter(Path file) throws IOException {
    this.file = file;
    try {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void write(int series, int hour, int points, byte[] cell) throws IOException {
    buffer.writeVarInt(series);
    buffer.writeVarInt(hour);
    buffer.writeVarInt(points);
    buffer.writeVarInt(cell.length);
    buffer.writeBytes(cell, 0, cell.length);
    if (buffer.length() >= BUFFER_BYTES) {
      flush();
    }
  }

  /** Writes what is buffered and closes the file. */
  HourFile finish() throws IOException {
    flush();
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
    finished = true;
    return new HourFile(file, (int) crc.getValue());
  }

  private void flush() throws IOException {
    crc.update(buffer.array(), 0, buffer.length());
    ByteBuffer rest = ByteBuffer.wrap(buffer.array(), 0, buffer.length());
    try {
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (IOException e) {
      throw failed(e);
    }
    buffer.reset();
  }

  /**
   * Adds the file system's exception as suppressed: users see the innermost cause's message only.
   */
  private IOException failed(IOException e) {
    IOException failed =
        new IOException("cannot write open hours to " + file + ": " + e.getMessage());
    failed.addSuppressed(e);
    return failed;
  }

  @Override
  public void close() throws IOException {
    if (!finished) {
      channel.close();
      Files.deleteIfExists(file);
    }
  }
}
