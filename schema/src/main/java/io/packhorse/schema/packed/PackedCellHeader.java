package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import org.jspecify.annotations.Nullable;

/**
 * What a packed cell says of itself before its body (format.md section 4).
 *
 * @param plain whether the cell has the plain form of few or wild points
 * @param kind 0 integers, 1 doubles, 2 mixed or plain
 * @param milliseconds whether the offsets are stored in milliseconds rather than seconds
 * @param checksum whether the cell ends in a CRC32C
 * @param count number of points, 1 to {@link PackedCellEncoder#MAX_POINTS}
 * @param offsets number of the offset encoding, 0 to 5
 * @param firstOffsetMs offset of the first point in milliseconds, -1 if only the body has it
 * @param lastOffsetMs offset of the last point, known when the first is
 * @param statistics from {@value PackedCellDescriptor#STATISTICS_FROM_POINTS} points on, unless
 *     they could differ from what the points give
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
   * Reads the header of a cell without touching its body: in the presence of statistics guarded by
   * their own check, else by nothing but {@link PackedCellDecoder}'s look at the rest.
   *
   * @throws MalformedCellException if the bytes are no packed cell, of another version, or out of
   *     range
   */
  public static PackedCellHeader parse(byte[] cell) throws MalformedCellException {
    HeaderScan scan = new HeaderScan();
    scan.read(new ByteReader(cell, 0, cell.length), cell);
    return of(scan);
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
