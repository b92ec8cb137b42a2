package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_CHECKSUM;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_MILLISECONDS;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MASK;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MIXED;
import static io.packhorse.schema.packed.PackedCellDescriptor.RESERVED_FLAGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * What a packed cell says of itself before its body (format.md section 4).
 *
 * @param kind 0 integers, 1 doubles, 2 mixed
 * @param milliseconds whether the offsets are stored in milliseconds rather than seconds
 * @param checksum whether the cell ends in a CRC32C
 * @param count number of points, 1 to {@link PackedCellEncoder#MAX_POINTS}
 */
public record PackedCellHeader(int kind, boolean milliseconds, boolean checksum, int count) {

  /**
   * Reads the header of a cell without touching its body.
   *
   * @throws MalformedCellException if the bytes are no packed cell, of another version, or out of
   *     range
   */
  public static PackedCellHeader parse(byte[] cell) throws MalformedCellException {
    return read(new ByteReader(cell, 0, cell.length));
  }

  static PackedCellHeader read(ByteReader in) throws MalformedCellException {
    int version = in.readByte();
    if (version != VERSION_1) {
      throw new MalformedCellException(
          0,
          (version & 0xF0) == 0xA0
              ? "packed cell: version must be 1, a newer Packhorse reads others: version="
                  + (version & 0x0F)
              : "packed cell: first byte must be 0xA1: found=0x" + Integer.toHexString(version));
    }
    int flags = in.readByte();
    int kind = flags & KIND_MASK;
    if ((flags & RESERVED_FLAGS) != 0 || kind > KIND_MIXED) {
      throw new MalformedCellException(
          1,
          "packed cell: reserved flags must be 0 and kind at most 2: flags=0x"
              + Integer.toHexString(flags));
    }
    int at = in.position();
    int count = in.readVarInt();
    if (count < 1 || count > PackedCellEncoder.MAX_POINTS) {
      throw new MalformedCellException(
          at,
          "packed cell: point count must be 1 to "
              + PackedCellEncoder.MAX_POINTS
              + ": count="
              + count);
    }
    return new PackedCellHeader(
        kind, (flags & FLAG_MILLISECONDS) != 0, (flags & FLAG_CHECKSUM) != 0, count);
  }
}
