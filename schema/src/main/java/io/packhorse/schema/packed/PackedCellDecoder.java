package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Unpacks a cell of {@link PackedCellEncoder}; any other bytes end in one exception.
 *
 * <p>Reusable, one instance a thread. Allocates nothing in steady state; for any input at most the
 * arrays of a block of {@link PackedCellEncoder#MAX_POINTS} points.
 */
public final class PackedCellDecoder {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final CRC32C crc = new CRC32C();
  private long[] scratch = new long[0];

  /**
   * Unpacks a whole cell.
   *
   * @param cell the stored value, only read
   * @param into overwritten; after an exception its content is unspecified
   * @throws MalformedCellException if the bytes break the format in any way
   */
  public void decode(byte[] cell, PointBlock into) throws MalformedCellException {
    PackedCellHeader header = PackedCellHeader.parse(cell);
    int end = header.checksum() ? checkedEnd(cell) : cell.length;
    ByteReader in = new ByteReader(cell, 0, end);
    PackedCellHeader.read(in);
    int count = header.count();
    into.clear();
    into.ensureCapacity(count);
    if (scratch.length < count) {
      scratch = new long[count];
    }
    OffsetStream.read(in, cell, count, header.milliseconds(), scratch, into.offsetsMs());
    switch (header.kind()) {
      case KIND_LONGS -> {
        IntegerStream.read(in, cell, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, false);
      }
      case KIND_DOUBLES -> {
        DoubleStream.read(in, cell, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, true);
      }
      default -> readMixed(in, cell, count, into);
    }
    in.expectEnd();
    into.filled(count);
  }

  private int checkedEnd(byte[] cell) throws MalformedCellException {
    int end = cell.length - CHECKSUM_BYTES;
    if (end < 0) {
      throw new MalformedCellException(
          cell.length, "packed cell: checksum is missing: length=" + cell.length);
    }
    crc.reset();
    crc.update(cell, 0, end);
    int expected = (int) crc.getValue();
    int found = (int) INTS.get(cell, end);
    if (expected != found) {
      throw new MalformedCellException(
          end,
          "packed cell: CRC32C must match the bytes before it: expected=0x"
              + Integer.toHexString(expected)
              + ", found=0x"
              + Integer.toHexString(found));
    }
    return end;
  }

  private void readMixed(ByteReader in, byte[] cell, int count, PointBlock into)
      throws MalformedCellException {
    int at = in.position();
    BitPacking.unpack(in, cell, count, 1, scratch, 0);
    int doubles = 0;
    boolean[] isDouble = into.isDouble();
    for (int i = 0; i < count; i++) {
      isDouble[i] = scratch[i] != 0;
      doubles += (int) scratch[i];
    }
    if (doubles == 0 || doubles == count) {
      throw new MalformedCellException(
          at, "packed cell: a mixed cell must have both kinds: doubles=" + doubles);
    }
    IntegerStream.read(in, cell, count - doubles, scratch);
    place(into, count, false);
    DoubleStream.read(in, cell, doubles, scratch);
    place(into, count, true);
  }

  private void place(PointBlock into, int count, boolean wanted) {
    int next = 0;
    for (int i = 0; i < count; i++) {
      if (into.isDouble()[i] == wanted) {
        into.values()[i] = scratch[next++];
      }
    }
  }
}
