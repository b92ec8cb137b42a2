package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates a workload in the order of its rows: range after range, in each hour after hour, in
 * each the series in the order given. A batch is one hour of one series, all of it.
 */
public final class GeneratedRowSource implements PointSource {
  private final GeneratedPoints points;
  private final List<GeneratedRange> ranges;
  private final PointBatch batch;
  private int range;
  private int hour;
  private int next;

  /**
   * @param ranges of at least one row each
   */
  public GeneratedRowSource(GeneratedPoints points, List<GeneratedRange> ranges) {
    this.points = points;
    this.ranges = List.copyOf(ranges);
    this.batch = new PointBatch(points.pointsPerHour());
    if (!ranges.isEmpty()) {
      hour = ranges.get(0).fromHour();
    }
  }

  @Override
  public @Nullable PointBatch next() {
    if (range == ranges.size()) {
      return null;
    }
    GeneratedRange here = ranges.get(range);
    points.fill(here.series()[next], hour, batch);
    if (++next == here.series().length) {
      next = 0;
      if (++hour == here.toHour() && ++range < ranges.size()) {
        hour = ranges.get(range).fromHour();
      }
    }
    return batch;
  }

  @Override
  public void close() {}
}
