package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.io.Closeable;
import java.io.IOException;

/** Takes the points of one part, in row order: hour by hour, series by series. One thread. */
public interface ExportPart extends Closeable {
  /**
   * Takes points of one hour of one series.
   *
   * @param baseSeconds start of the hour
   * @param points read only, valid during the call
   * @param from index of the first point
   * @param to index after the last
   * @throws UnwritableException if the format cannot hold a name or a value; nothing was taken
   */
  void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
      throws IOException, UnwritableException;

  /** Completes the part. */
  void finish() throws IOException;

  /** Bytes written so far. */
  long bytes();

  /** Lets go of what it holds; a part that was not finished stays incomplete. */
  @Override
  void close() throws IOException;
}
