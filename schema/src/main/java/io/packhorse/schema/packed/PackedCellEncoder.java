package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_FROM_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_CHECKSUM;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_MILLISECONDS;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MIXED;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.util.zip.CRC32C;

/**
 * Packs a block of points into a version 1 cell (format.md section 4). No options: the encoder
 * looks at the points and takes the smallest form; equal blocks give equal bytes.
 *
 * <p>Reusable, one instance a thread.
 */
public final class PackedCellEncoder {
  /** Most points of one cell; a fuller hour is split into parts by the caller. */
  public static final int MAX_POINTS = 65_536;

  private final ByteWriter out = new ByteWriter(8192);
  private final IntegerStream integers = new IntegerStream();
  private final OffsetStream offsets = new OffsetStream(integers);
  private final DoubleStream doubles = new DoubleStream(integers);
  private final CRC32C crc = new CRC32C();
  private long[] scratch = new long[0];

  /**
   * Packs the block; the block is only read.
   *
   * @return a new array holding the cell
   * @throws IllegalArgumentException if the block is empty or has more than {@link #MAX_POINTS}
   */
  public byte[] encode(PointBlock block) {
    int count = block.count();
    if (count < 1 || count > MAX_POINTS) {
      throw new IllegalArgumentException(
          "packed cell: point count must be 1 to " + MAX_POINTS + ": count=" + count);
    }
    int kind =
        block.doubles() == 0 ? KIND_LONGS : block.doubles() == count ? KIND_DOUBLES : KIND_MIXED;
    boolean milliseconds = !OffsetStream.wholeSeconds(block.offsetsMs(), count);
    boolean checksum = count >= CHECKSUM_FROM_POINTS;
    out.reset();
    out.writeByte(VERSION_1);
    out.writeByte(kind | (milliseconds ? FLAG_MILLISECONDS : 0) | (checksum ? FLAG_CHECKSUM : 0));
    out.writeVarInt(count);
    offsets.write(block.offsetsMs(), count, milliseconds, out);
    switch (kind) {
      case KIND_LONGS -> integers.write(block.values(), count, out);
      case KIND_DOUBLES -> doubles.write(block.values(), count, out);
      default -> writeMixed(block, out);
    }
    if (checksum) {
      crc.reset();
      crc.update(out.array(), 0, out.length());
      out.writeIntLE((int) crc.getValue());
    }
    return out.toByteArray();
  }

  /** One bit a point, 1 for a double; then the integers among themselves, then the doubles. */
  private void writeMixed(PointBlock block, ByteWriter to) {
    int count = block.count();
    boolean[] isDouble = block.isDouble();
    if (scratch.length < count) {
      scratch = new long[count];
    }
    for (int i = 0; i < count; i++) {
      scratch[i] = isDouble[i] ? 1 : 0;
    }
    BitPacking.pack(scratch, 0, count, 1, to);
    integers.write(scratch, pick(block, false), to);
    doubles.write(scratch, pick(block, true), to);
  }

  private int pick(PointBlock block, boolean wanted) {
    int picked = 0;
    for (int i = 0; i < block.count(); i++) {
      if (block.isDouble()[i] == wanted) {
        scratch[picked++] = block.values()[i];
      }
    }
    return picked;
  }
}
