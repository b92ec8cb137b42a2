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

  /** Of a pass over hours that may have been sealed before. */
  private @Nullable LoaderId loaderOfPass;

  private boolean inPass;
  private long retriesSeen;

  private long points;
  private long published;
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

  /** Cells from now on, until the pass ends, carry a loader id that no cell has yet. */
  void beginPass() {
    loaderOfPass = null;
    inPass = true;
  }

  /** Cells carry the loader id again that they had before the pass. */
  void endPass() {
    inPass = false;
  }

  private LoaderId loader() throws IOException {
    LoaderId present = inPass ? loaderOfPass : loader;
    if (present == null) {
      present = context.newLoaderId();
      if (inPass) {
        loaderOfPass = present;
      } else {
        loader = present;
      }
    }
    return present;
  }

  /**
   * Called before an hour is written of which a cell has been published: if an old attempt to store
   * that cell may still be carried out, it must not overwrite the new one, so the new one gets
   * another loader id.
   */
  void beforeRewrite() {
    long now = context.retries();
    if (now != retriesSeen) {
      retriesSeen = now;
      loader = null;
    }
  }

  /**
   * Writes what an open hour holds, under the name of its final cell. It is not counted. Before the
   * hour is written again, this cell must be stored.
   */
  void publish(int series, int hour, PointBlock block) throws IOException, InterruptedException {
    if (summaries != null) {
      summaries.announce(loader(), series, hour);
    }
    context.write(
        new CellWrite(
            rowKey(series, hour),
            form,
            packedQualifier(0),
            parts.pack(block),
            0,
            loader().stampMs()));
    published++;
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

  /** Cells of open hours. */
  long published() {
    return published;
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
