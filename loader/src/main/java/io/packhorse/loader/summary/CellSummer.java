package io.packhorse.loader.summary;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellHeader;
import org.jspecify.annotations.Nullable;

/** Sums up packed cells: those of many points by their headers alone. Reusable, one thread. */
public final class CellSummer {
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock decoded = new PointBlock(0);

  /**
   * Sums up a cell whose points are at hand.
   *
   * @param points of the cell; only read
   * @param statistics of all of them; null if they have none
   */
  public static SummedCell sum(
      int series, int hour, PointBlock points, @Nullable CellStatistics statistics) {
    int count = points.count();
    return new SummedCell(
        series, hour, count, points.offsetsMs()[0], points.offsetsMs()[count - 1], statistics);
  }

  /**
   * Sums up a stored cell; it is decoded only if its header does not say enough.
   *
   * @throws MalformedCellException if it is no packed cell, or is damaged
   */
  public SummedCell sum(int series, int hour, byte[] cell) throws MalformedCellException {
    PackedCellHeader header = PackedCellHeader.parse(cell);
    if (header.statistics() != null) {
      return new SummedCell(
          series,
          hour,
          header.count(),
          header.firstOffsetMs(),
          header.lastOffsetMs(),
          header.statistics());
    }
    decoder.decode(cell, decoded);
    return sum(
        series,
        hour,
        decoded,
        decoded.count() < CellStatistics.STORED_FROM_POINTS ? CellStatistics.of(decoded) : null);
  }
}
