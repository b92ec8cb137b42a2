package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Generates a slice of a workload, one hour of one series a batch, series after series. Series ids
 * are the numbers of the series.
 */
public final class GeneratedSource implements PointSource {
  private final GeneratedPoints points;
  private final int stride;
  private final PointBatch batch;
  private final int slice;
  private long given;

  /**
   * Every {@code slices}-th series from {@code slice} on.
   *
   * @param slice 0 to {@code slices - 1}
   */
  public GeneratedSource(GeneratedPoints points, int slice, int slices) {
    this(points, slice, slices, new SourcePosition(slice, 0, 0));
  }

  /**
   * As {@link #GeneratedSource(GeneratedPoints, int, int)}, from a {@link #position} on.
   *
   * @param from a position that the same slice gave
   */
  public GeneratedSource(GeneratedPoints points, int slice, int slices, SourcePosition from) {
    this.points = points;
    this.stride = slices;
    this.slice = slice;
    this.given = from.offset();
    this.batch = new PointBatch(points.pointsPerHour());
  }

  @Override
  public @Nullable PointBatch next() {
    long series = slice + given / points.hours() * stride;
    if (series >= points.seriesCount()) {
      return null;
    }
    points.fill((int) series, (int) (given % points.hours()), batch);
    given++;
    return batch;
  }

  /** The slice, and its batches given so far. */
  @Override
  public Optional<SourcePosition> position() {
    return Optional.of(new SourcePosition(slice, given, 0));
  }

  @Override
  public void close() {}
}
