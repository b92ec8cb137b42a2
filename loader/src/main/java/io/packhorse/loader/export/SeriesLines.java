package io.packhorse.loader.export;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;

/** Writes the points of one series as lines. */
public interface SeriesLines {
  /**
   * Appends a line for each point.
   *
   * @param baseMs time that the offsets of the points count from, milliseconds since 1970
   * @param from index of the first point
   * @param to index after the last
   */
  void write(long baseMs, PointBlock points, int from, int to, ByteWriter into);
}
