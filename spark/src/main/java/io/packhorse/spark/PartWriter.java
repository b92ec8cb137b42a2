package io.packhorse.spark;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.load.SpreadPlan;
import io.packhorse.loader.load.SpreadWriting;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.PackerContext;
import io.packhorse.loader.pack.SavedHour;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.sink.hfile.AttemptHFile;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import scala.Tuple2;

/**
 * Writes the cells of one part of a plan into an HFile. Packed hours come in the order of {@link
 * HourRecord.KeyOrder}; those of one row become one cell, or as many as its points need. One
 * thread.
 */
final class PartWriter implements PackerContext {
  private final SpreadPlan plan;
  private final RowKeyLayout layout;
  private final AttemptHFile file;
  private boolean loaderTaken;

  /** The row that is being written. */
  private byte[] rowKey = {};

  /**
   * @param file stays the caller's
   */
  PartWriter(SpreadPlan plan, AttemptHFile file) {
    this.plan = plan;
    this.layout = plan.layout();
    this.file = file;
  }

  /** Writes everything and completes the file. */
  SpreadWriting write(Iterator<Tuple2<byte[], byte[]>> hours)
      throws IOException, InterruptedException {
    try (HourPacker packer =
        new HourPacker(plan.form(), layout, series -> tsuid(), SealPolicy.WHOLE_HOURS, this)) {
      List<SavedHour> row = new ArrayList<>();
      byte[] rowOf = {};
      while (hours.hasNext()) {
        Tuple2<byte[], byte[]> hour = hours.next();
        if (!row.isEmpty() && !HourRecord.sameRow(rowOf, hour._1())) {
          rowKey = HourRecord.rowKey(rowOf);
          packer.acceptPacked(row);
          row.clear();
        }
        rowOf = hour._1();
        row.add(HourRecord.saved(hour._2()));
      }
      if (!row.isEmpty()) {
        rowKey = HourRecord.rowKey(rowOf);
        packer.acceptPacked(row);
      }
      return new SpreadWriting(
          packer.packedPoints(),
          packer.replacedPoints(),
          packer.cells(),
          packer.cellBytes(),
          packer.valueBytes(),
          packer.firstReplaced().map(InputHours::place).orElse(null),
          file.finish().orElse(null));
    }
  }

  /** That of the row, so that a task need not know the series of the load. */
  private Tsuid tsuid() {
    try {
      return layout.tsuid(rowKey);
    } catch (MalformedCellException e) {
      throw new IllegalStateException("a row key was made and cannot be read", e);
    }
  }

  @Override
  public LoaderId newLoaderId() {
    if (loaderTaken) {
      throw new IllegalStateException("a part must be written under one loader id");
    }
    loaderTaken = true;
    return plan.loaderId();
  }

  @Override
  public void write(CellWrite cell) throws IOException {
    file.write(cell);
  }

  @Override
  public Path newHourFile() {
    throw new IllegalStateException("whole hours must not be spilled");
  }
}
