package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.summary.SummaryLevel;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Blocks in a file, until they may be stored: written once, then read once. One thread. */
final class SummaryFile implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final DataOutputStream out;
  private long blocks;

  /**
   * @param path of a file that is not there; it is removed by whoever has named it
   */
  SummaryFile(Path path) throws IOException {
    this.path = path;
    out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES));
  }

  void write(SummaryWrite block) throws IOException {
    out.writeShort(block.rowKey().length);
    out.write(block.rowKey());
    out.writeUTF(block.level().name());
    out.writeInt(block.loader().id());
    out.writeLong(block.loader().stampMs());
    out.writeByte(block.number());
    out.writeInt(block.value().length);
    out.write(block.value());
    blocks++;
  }

  /** Closes the file and reads it from the beginning. */
  void read(SummaryWrite.Receiver to) throws IOException {
    out.close();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES))) {
      for (long i = 0; i < blocks; i++) {
        byte[] rowKey = new byte[in.readUnsignedShort()];
        in.readFully(rowKey);
        SummaryLevel level = SummaryLevel.valueOf(in.readUTF());
        LoaderId loader = new LoaderId(in.readInt(), in.readLong());
        int number = in.readUnsignedByte();
        byte[] value = new byte[in.readInt()];
        in.readFully(value);
        to.take(new SummaryWrite(rowKey, level, loader, number, value));
      }
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
