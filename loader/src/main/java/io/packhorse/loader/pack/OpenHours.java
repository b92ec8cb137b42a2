package io.packhorse.loader.pack;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.util.Arrays;

/**
 * Reads back what {@link HourPacker#saveOpen} wrote: for each hour the series number, the hour
 * since 1970, the length of a packed cell, all three as varints, and the cell. One thread.
 */
public final class OpenHours {
  private final byte[] bytes;
  private final ByteReader reader;
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock block = new PointBlock();

  /**
   * @param bytes only read
   */
  public OpenHours(byte[] bytes) {
    this.bytes = bytes;
    reader = new ByteReader(bytes, 0, bytes.length);
  }

  static void write(ByteWriter into, int series, long baseSeconds, byte[] cell) {
    into.writeVarInt(series);
    into.writeVarLong(baseSeconds / BaseTime.HOUR_SECONDS);
    into.writeVarInt(cell.length);
    into.writeBytes(cell, 0, cell.length);
  }

  /**
   * Appends the points of the next hour to a batch.
   *
   * @return false at the end
   * @throws MalformedCellException if this is not what was written
   */
  public boolean next(PointBatch into) throws MalformedCellException {
    if (reader.remaining() == 0) {
      return false;
    }
    int series = reader.readVarInt();
    long baseMs = reader.readVarLong() * BaseTime.HOUR_SECONDS * 1000;
    int length = reader.readVarInt();
    int from = reader.position();
    reader.skip(length);
    decoder.decode(Arrays.copyOfRange(bytes, from, from + length), block);
    for (int i = 0; i < block.count(); i++) {
      into.add(series, baseMs + block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
    }
    return true;
  }
}
