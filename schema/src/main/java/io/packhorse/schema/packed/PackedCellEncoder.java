package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_FROM_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAGS_1;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_CHECKSUM;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_MILLISECONDS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_STATISTICS;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MIXED;
import static io.packhorse.schema.packed.PackedCellDescriptor.STATISTICS_FROM_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Packs a block of points into a version 1 cell (format.md section 4), in the smallest form it
 * finds. Equal blocks give equal bytes.
 *
 * <p>Reusable, one instance per thread. Allocates nothing but the result in steady state.
 */
public final class PackedCellEncoder {
  /** Most points of one cell; a fuller hour is split into parts by the caller. */
  public static final int MAX_POINTS = PackedCellDescriptor.MAX_POINTS;

  private final ByteWriter out = new ByteWriter(8192);
  private final IntegerWriter integers = new IntegerWriter();
  private final OffsetWriter offsets = new OffsetWriter(integers);
  private final DoubleWriter doubles = new DoubleWriter(integers);
  private final StatisticsCode statistics = new StatisticsCode();
  private final PlainForm plain = new PlainForm();
  private final CRC32C crc = new CRC32C();
  private long[] scratch = new long[0];

  /** Whether the statistics of the last block are known, which kind it was, and if it has any. */
  private boolean known;

  private int lastKind;
  private boolean summed;

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
    out.reset();
    writeGeneral(block, count);
    int valueBytes = block.doubles() == 0 ? integers.minBytes() : count;
    if (out.length() > PlainForm.minBytes(count, valueBytes) && plain.cost(block) < out.length()) {
      out.reset();
      plain.write(block, out);
      if (count >= CHECKSUM_FROM_POINTS) {
        writeChecksum();
      }
    }
    return out.toByteArray();
  }

  private void writeGeneral(PointBlock block, int count) {
    int kind =
        block.doubles() == 0 ? KIND_LONGS : block.doubles() == count ? KIND_DOUBLES : KIND_MIXED;
    offsets.plan(block.offsetsMs(), count);
    boolean checksum = count >= CHECKSUM_FROM_POINTS;
    boolean summed = scan(block, kind, count);
    int flags =
        kind
            | (offsets.milliseconds() ? FLAG_MILLISECONDS : 0)
            | (summed ? FLAG_STATISTICS : 0)
            | (checksum ? FLAG_CHECKSUM : 0);
    if (flags < FLAG_STATISTICS) {
      out.writeByte(FLAGS_1 | flags);
    } else {
      out.writeByte(VERSION_1);
      out.writeByte(flags);
    }
    offsets.writeHeader(out);
    if (summed) {
      if (!offsets.regular()) {
        int unitMs = PackedCellDescriptor.unitMs(offsets.milliseconds());
        int first = block.offsetsMs()[0] / unitMs;
        out.writeVarInt(first);
        out.writeVarInt(block.offsetsMs()[count - 1] / unitMs - first);
      }
      statistics.write(kind, count, out);
      int check = crc();
      out.writeByte(check);
      out.writeByte(check >>> 8);
    }
    offsets.writeBody(out);
    switch (kind) {
      case KIND_LONGS -> integers.writeScanned(block.values(), count, out);
      case KIND_DOUBLES -> doubles.writeScanned(block.values(), count, out);
      default -> writeMixed(block);
    }
    if (checksum) {
      writeChecksum();
    }
  }

  /** Scans the values; returns whether the cell gets statistics. */
  private boolean scan(PointBlock block, int kind, int count) {
    long[] values = block.values();
    boolean many = count >= STATISTICS_FROM_POINTS;
    lastKind = kind;
    known = true;
    if (kind == KIND_LONGS) {
      Residuals scanned = integers.scan(values, count);
      summed = statistics.takeLongs(values, count, scanned.min(), scanned.max(), scanned.sum());
      return many && summed;
    }
    Residuals mantissas = kind == KIND_DOUBLES ? doubles.scan(values, count) : null;
    if (mantissas == null) {
      known = many;
      summed = many && statistics.takeDoubles(block);
      return summed;
    }
    statistics.takeDecimals(
        values, count, mantissas.min(), mantissas.max(), doubles.decimalExponent(), doubles.sum());
    summed = true;
    return many;
  }

  /**
   * Statistics of any number of points; most are known from encoding them.
   *
   * @param block that was encoded last, and was not changed since
   * @return as {@link CellStatistics#of}
   */
  public @Nullable CellStatistics statistics(PointBlock block) {
    if (!known) {
      return CellStatistics.of(block);
    }
    return summed ? statistics.statistics(lastKind, block.count()) : null;
  }

  private void writeChecksum() {
    out.writeIntLE(crc());
  }

  private int crc() {
    crc.reset();
    crc.update(out.array(), 0, out.length());
    return (int) crc.getValue();
  }

  /** Writes the kinds (1 for a double, 0 for an integer), the integers, then the doubles. */
  private void writeMixed(PointBlock block) {
    int count = block.count();
    boolean[] isDouble = block.isDouble();
    scratch = Scratch.longs(scratch, count);
    for (int i = 0; i < count; i++) {
      scratch[i] = isDouble[i] ? 1 : 0;
    }
    integers.write(scratch, count, out);
    integers.write(scratch, pick(block, false), out);
    doubles.write(scratch, pick(block, true), out);
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
