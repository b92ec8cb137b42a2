package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.summary.CellSummer;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Turns finished hours into cells, passes them to the sink and counts them. One thread. */
final class CellWriter {
  private final CellForm form;
  private final RowKeyLayout layout;
  private final IntFunction<Tsuid> tsuids;
  private final HourParts parts;
  private final PackerContext context;
  private final @Nullable SummedCells summaries;
  private final CellSummer summer = new CellSummer();

  private final ByteWriter qualifiers = new ByteWriter(7200);
  private final ByteWriter values = new ByteWriter(14401);

  /** Taken with the first cell: a load that writes none has no loader id on its ledger. */
  private @Nullable LoaderId loader;

  private long points;
  private long count;
  private long bytes;
  private long valueBytes;

  CellWriter(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      HourParts parts,
      PackerContext context) {
    this.form = form;
    this.layout = layout;
    this.tsuids = tsuids;
    this.parts = parts;
    this.context = context;
    this.summaries = form == CellForm.PACKED ? context.summaries().orElse(null) : null;
  }

  /** Cells from now on carry a loader id that no cell has yet. */
  void takeLoaderId() {
    loader = null;
  }

  private LoaderId loader() throws IOException {
    LoaderId present = loader;
    if (present == null) {
      present = context.newLoaderId();
      loader = present;
    }
    return present;
  }

  /** Whether {@link #write(SavedHour)} may be used. */
  boolean takesPacked() {
    return form == CellForm.PACKED;
  }

  /**
   * Writes an hour. An hour may be written once under a loader id.
   *
   * @param hour since 1970
   * @param block of any number of points
   */
  void write(int series, int hour, PointBlock block) throws IOException, InterruptedException {
    byte[] row = rowKey(series, hour);
    for (int number = 0; number < HourParts.count(block); number++) {
      PointBlock part = parts.part(block, number);
      if (form == CellForm.PACKED) {
        byte[] cell = parts.pack(part);
        sumUp(series, hour, part);
        write(row, packedQualifier(number), cell, part.count());
      } else {
        qualifiers.reset();
        values.reset();
        CompactedCell.encode(part, qualifiers, values);
        write(row, qualifiers.toByteArray(), values.toByteArray(), part.count());
      }
    }
  }

  /** Writes an hour of one cell that is packed already. */
  void write(SavedHour hour) throws IOException, InterruptedException {
    sumUp(hour);
    write(rowKey(hour.series(), hour.hour()), packedQualifier(0), hour.cell(), hour.points());
  }

  /** Has summaries take note of a part that was just packed, before it is passed on. */
  private void sumUp(int series, int hour, PointBlock part) throws IOException {
    if (summaries != null) {
      summaries.add(loader(), CellSummer.sum(series, hour, part, parts.statistics(part)));
    }
  }

  /** Has summaries take note of a cell before it is passed on. */
  private void sumUp(SavedHour hour) throws IOException {
    if (summaries == null) {
      return;
    }
    try {
      summaries.add(loader(), summer.sum(hour.series(), hour.hour(), hour.cell()));
    } catch (MalformedCellException e) {
      throw new IOException("a file of open hours is damaged: " + e.getMessage(), e);
    }
  }

  private byte[] rowKey(int series, int hour) {
    return layout.rowKey(tsuids.apply(series), (long) hour * BaseTime.HOUR_SECONDS);
  }

  private byte[] packedQualifier(int number) throws IOException {
    return new PackedQualifier(loader().id(), number).toBytes();
  }

  private void write(byte[] row, byte[] qualifier, byte[] value, int pointsOfCell)
      throws IOException, InterruptedException {
    CellWrite cell = new CellWrite(row, form, qualifier, value, pointsOfCell, loader().stampMs());
    context.write(cell);
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
