package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellEncoder;
import org.jspecify.annotations.Nullable;

/** Cuts an hour of many points into parts that fit a cell each, and packs parts. One thread. */
public final class HourParts {
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PointBlock part = new PointBlock(0);

  /** Number of parts that an hour is cut into. */
  public static int count(PointBlock hour) {
    return (hour.count() + PackedCellEncoder.MAX_POINTS - 1) / PackedCellEncoder.MAX_POINTS;
  }

  /**
   * One part of an hour.
   *
   * @param number from 0
   * @return the hour itself if it is one part, else a block that is valid until the next call
   */
  public PointBlock part(PointBlock hour, int number) {
    if (hour.count() <= PackedCellEncoder.MAX_POINTS) {
      return hour;
    }
    int from = number * PackedCellEncoder.MAX_POINTS;
    int to = Math.min(hour.count(), from + PackedCellEncoder.MAX_POINTS);
    part.clear();
    for (int i = from; i < to; i++) {
      part.add(hour.offsetsMs()[i], hour.values()[i], hour.isDouble()[i]);
    }
    return part;
  }

  /** The packed cell of a part, in an array of its own. */
  public byte[] pack(PointBlock onePart) {
    return encoder.encode(onePart);
  }

  /**
   * Statistics of the part that was packed last.
   *
   * @return null if it has none
   */
  public @Nullable CellStatistics statistics(PointBlock onePart) {
    return encoder.statistics(onePart);
  }
}
