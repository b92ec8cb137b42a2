package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.OpenHours;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Yields the points of a checkpoint's open hours, then the rest of the source. One thread. */
public final class ResumedSource implements PointSource {
  private static final int BATCH_POINTS = 16_384;

  private final OpenHours openHours;
  private final PointSource rest;
  private final PointBatch batch = new PointBatch(BATCH_POINTS);
  private boolean restored;

  /**
   * @param openHours closed with this source
   * @param rest opened at the checkpoint's position; closed with this source
   */
  public ResumedSource(OpenHours openHours, PointSource rest) {
    this.openHours = openHours;
    this.rest = rest;
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    if (!restored) {
      batch.clear();
      while (batch.points() < BATCH_POINTS && openHours.next(batch)) {
        // Each call adds one hour.
      }
      if (batch.points() > 0) {
        return batch;
      }
      restored = true;
    }
    return rest.next();
  }

  /** Empty until all open hours are read. */
  @Override
  public Optional<SourcePosition> position() {
    return restored ? rest.position() : Optional.empty();
  }

  @Override
  public void close() throws IOException {
    try (rest) {
      openHours.close();
    }
  }
}
