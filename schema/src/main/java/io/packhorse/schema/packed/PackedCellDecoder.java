package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Decodes packed cells; throws {@link MalformedCellException} for all other bytes.
 *
 * <p>Reusable, one instance per thread. Allocates nothing in steady state; for any input at most a
 * copy of it and a few arrays of {@link PackedCellEncoder#MAX_POINTS} entries.
 */
public final class PackedCellDecoder {
  private final HeaderScan header = new HeaderScan();
  private final OffsetReader offsets = new OffsetReader();
  private final IntegerReader integers = new IntegerReader();
  private final DoubleReader doubles = new DoubleReader(integers);
  private final PlainForm plain = new PlainForm();
  private final ByteReader in = new ByteReader(new byte[0], 0, 0);
  private byte[] bytes = new byte[0];
  private long[] scratch = new long[0];

  /**
   * Decodes a whole cell.
   *
   * @param cell the stored value, only read
   * @param into overwritten; after an exception its content is unspecified
   * @throws MalformedCellException if the bytes break any rule of the format
   */
  public void decode(byte[] cell, PointBlock into) throws MalformedCellException {
    start(cell);
    int count = header.count;
    into.ensureCapacity(count);
    if (header.plain) {
      plain.read(in, bytes, header, into);
      in.expectEnd();
      return;
    }
    // The array of the values, which are read later, serves as scratch space for the times.
    offsets.read(in, bytes, header, integers, into.values(), into.offsetsMs());
    int numberOfDoubles = 0;
    switch (header.kind) {
      case KIND_LONGS -> {
        integers.read(in, bytes, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, false);
      }
      case KIND_DOUBLES -> {
        doubles.read(in, bytes, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, true);
        numberOfDoubles = count;
      }
      default -> numberOfDoubles = readMixed(count, into);
    }
    in.expectEnd();
    into.filledInOrder(count, numberOfDoubles);
  }

  /** Copies the cell, so that loads may pass its end; reads its header, verifies its checksum. */
  private void start(byte[] cell) throws MalformedCellException {
    int length = cell.length;
    bytes = Scratch.bytes(bytes, length + BitPacking.SLACK);
    System.arraycopy(cell, 0, bytes, 0, length);
    Arrays.fill(bytes, length, length + BitPacking.SLACK, (byte) 0);
    in.reset(bytes, 0, length);
    header.read(in, bytes);
    in.reset(bytes, in.position(), header.checkedEnd(bytes, in.position(), length));
  }

  private int readMixed(int count, PointBlock into) throws MalformedCellException {
    int at = in.position();
    scratch = Scratch.longs(scratch, count);
    integers.read(in, bytes, count, scratch);
    int found = 0;
    long all = 0;
    boolean[] isDouble = into.isDouble();
    for (int i = 0; i < count; i++) {
      isDouble[i] = scratch[i] != 0;
      found += isDouble[i] ? 1 : 0;
      all |= scratch[i];
    }
    if (all != 1 || found == count) {
      throw new MalformedCellException(
          at, "packed cell: kinds must be 0 and 1, and both must occur: doubles=" + found);
    }
    integers.read(in, bytes, count - found, scratch);
    place(into, count, false);
    doubles.read(in, bytes, found, scratch);
    place(into, count, true);
    return found;
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
