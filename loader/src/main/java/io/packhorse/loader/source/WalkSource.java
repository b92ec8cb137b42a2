package io.packhorse.loader.source;

import io.packhorse.loader.point.PointBatch;
import org.jspecify.annotations.Nullable;

/**
 * Generates a slice of the reference workload, one hour of one series a batch, series after series.
 * Series ids are the sensor numbers.
 */
public final class WalkSource implements PointSource {
  private final WalkSpec spec;
  private final int stride;
  private final PointBatch batch;
  private int series;
  private int hour;

  /**
   * Every {@code slices}-th series from {@code slice} on.
   *
   * @param slice 0 to {@code slices - 1}
   */
  public WalkSource(WalkSpec spec, int slice, int slices) {
    this.spec = spec;
    this.stride = slices;
    this.series = slice;
    this.batch = new PointBatch(spec.pointsPerHour());
  }

  @Override
  public @Nullable PointBatch next() {
    if (series >= spec.sensors()) {
      return null;
    }
    spec.fill(series, hour, batch);
    if (++hour == spec.hours()) {
      hour = 0;
      series += stride;
    }
    return batch;
  }

  @Override
  public void close() {}
}
