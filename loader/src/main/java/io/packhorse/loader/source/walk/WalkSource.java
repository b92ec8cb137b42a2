package io.packhorse.loader.source.walk;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Generates a slice of the reference workload, one hour of one series a batch, series after series.
 * Series ids are the sensor numbers.
 */
public final class WalkSource implements PointSource {
  private final WalkSpec spec;
  private final int stride;
  private final PointBatch batch;
  private final int slice;
  private long given;

  /**
   * Every {@code slices}-th series from {@code slice} on.
   *
   * @param slice 0 to {@code slices - 1}
   */
  public WalkSource(WalkSpec spec, int slice, int slices) {
    this(spec, slice, slices, new SourcePosition(slice, 0, 0));
  }

  /**
   * As {@link #WalkSource(WalkSpec, int, int)}, from a {@link #position} on.
   *
   * @param from a position that the same slice gave
   */
  public WalkSource(WalkSpec spec, int slice, int slices, SourcePosition from) {
    this.spec = spec;
    this.stride = slices;
    this.slice = slice;
    this.given = from.offset();
    this.batch = new PointBatch(spec.pointsPerHour());
  }

  @Override
  public @Nullable PointBatch next() {
    long series = slice + given / spec.hours() * stride;
    if (series >= spec.sensors()) {
      return null;
    }
    spec.fill((int) series, (int) (given % spec.hours()), batch);
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
