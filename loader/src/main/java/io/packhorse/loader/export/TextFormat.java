package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;

/** How points are written as lines. Any thread. */
public interface TextFormat {
  /**
   * The lines of one series.
   *
   * @throws UnwritableException if the format has no way to write a name of it
   */
  SeriesLines of(SeriesName series) throws UnwritableException;

  /** How names of files end, such as {@code txt}. */
  String suffix();
}
