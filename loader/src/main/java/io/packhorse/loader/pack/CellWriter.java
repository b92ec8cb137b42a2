package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.util.function.IntFunction;

/** Makes cells of finished hours, hands them on and counts them. One thread. */
final class CellWriter {
  private final CellForm form;
  private final RowKeyLayout layout;
  private final IntFunction<Tsuid> tsuids;
  private final HourPacker.Surroundings outside;

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final ByteWriter qualifiers = new ByteWriter(7200);
  private final ByteWriter values = new ByteWriter(14401);
  private final PointBlock part = new PointBlock(0);

  private LoaderId loader;
  private long points;
  private long count;
  private long bytes;
  private long valueBytes;

  CellWriter(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      HourPacker.Surroundings outside)
      throws IOException {
    this.form = form;
    this.layout = layout;
    this.tsuids = tsuids;
    this.outside = outside;
    this.loader = outside.newLoaderId();
  }

  /** Goes on under a loader id that no cell has yet. */
  void takeLoaderId() throws IOException {
    loader = outside.newLoaderId();
  }

  /** Whether {@link #write(SavedHour)} may be used. */
  boolean takesPacked() {
    return form == CellForm.PACKED;
  }

  /**
   * Writes an hour, which is not written again under this loader id.
   *
   * @param hour since 1970
   * @param block of any number of points
   */
  void write(int series, int hour, PointBlock block) throws IOException, InterruptedException {
    byte[] row = rowKey(series, hour);
    for (int from = 0; from < block.count(); from += PackedCellEncoder.MAX_POINTS) {
      PointBlock piece = piece(block, from);
      if (form == CellForm.PACKED) {
        int number = from / PackedCellEncoder.MAX_POINTS;
        write(row, packedQualifier(number), encoder.encode(piece), piece.count());
      } else {
        qualifiers.reset();
        values.reset();
        CompactedCell.encode(piece, qualifiers, values);
        write(row, qualifiers.toByteArray(), values.toByteArray(), piece.count());
      }
    }
  }

  /** As {@link #write(int, int, PointBlock)}, of an hour whose only cell is packed already. */
  void write(SavedHour hour) throws IOException, InterruptedException {
    write(rowKey(hour.series(), hour.hour()), packedQualifier(0), hour.cell(), hour.points());
  }

  /**
   * As much of a block as one cell can hold, from a point on: the block itself, or one that is
   * valid until the next call.
   */
  PointBlock piece(PointBlock block, int from) {
    if (block.count() <= PackedCellEncoder.MAX_POINTS) {
      return block;
    }
    int to = Math.min(block.count(), from + PackedCellEncoder.MAX_POINTS);
    part.clear();
    for (int i = from; i < to; i++) {
      part.add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
    }
    return part;
  }

  private byte[] rowKey(int series, int hour) {
    return layout.rowKey(tsuids.apply(series), (long) hour * BaseTime.HOUR_SECONDS);
  }

  private byte[] packedQualifier(int number) {
    return new PackedQualifier(loader.id(), number).toBytes();
  }

  private void write(byte[] row, byte[] qualifier, byte[] value, int pointsOfCell)
      throws IOException, InterruptedException {
    CellWrite cell = new CellWrite(row, form, qualifier, value, pointsOfCell, loader.stampMs());
    outside.write(cell);
    count++;
    points += pointsOfCell;
    bytes += cell.bytes();
    valueBytes += value.length;
  }

  /** Points of all cells. */
  long points() {
    return points;
  }

  /** Number of cells. */
  long count() {
    return count;
  }

  /** Bytes of their row keys, qualifiers and values. */
  long bytes() {
    return bytes;
  }

  /** Bytes of their values alone. */
  long valueBytes() {
    return valueBytes;
  }
}
