package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import org.jspecify.annotations.Nullable;

/**
 * The header of a packed cell (format.md section 4).
 *
 * @param plain whether the cell has the plain form
 * @param kind 0 integers, 1 doubles, 2 mixed or plain
 * @param milliseconds whether the offsets are stored in milliseconds rather than seconds
 * @param checksum whether the cell ends with a CRC32C
 * @param count number of points, 1 to {@link PackedCellEncoder#MAX_POINTS}
 * @param offsets number of the offset encoding, 0 to 5
 * @param firstOffsetMs offset of the first point in milliseconds; -1 if only the body has it
 * @param lastOffsetMs offset of the last point in milliseconds; -1 if only the body has it
 * @param statistics null below {@value PackedCellDescriptor#STATISTICS_FROM_POINTS} points, and if
 *     they could differ from an aggregation over the points
 */
public record PackedCellHeader(
    boolean plain,
    int kind,
    boolean milliseconds,
    boolean checksum,
    int count,
    int offsets,
    int firstOffsetMs,
    int lastOffsetMs,
    @Nullable CellStatistics statistics) {

  /**
   * Reads the header of a cell without its body. A header with statistics has a check of its own;
   * damage of any other is found only when {@link PackedCellDecoder} decodes the whole cell.
   *
   * @throws MalformedCellException if the bytes do not begin with the header of a version 1 cell
   */
  public static PackedCellHeader parse(byte[] cell) throws MalformedCellException {
    HeaderScan scan = new HeaderScan();
    scan.read(new ByteReader(cell, 0, cell.length), cell);
    return of(scan);
  }

  /** Whether integers and doubles may both occur: the kind of each point is known from the body. */
  public boolean mixed() {
    return kind == PackedCellDescriptor.KIND_MIXED;
  }

  static PackedCellHeader of(HeaderScan scan) {
    return new PackedCellHeader(
        scan.plain,
        scan.kind,
        scan.milliseconds,
        scan.checksum,
        scan.count,
        scan.offsets,
        scan.firstOffsetMs,
        scan.lastOffsetMs,
        scan.hasStatistics ? scan.statistics.statistics(scan.kind, scan.count) : null);
  }
}
