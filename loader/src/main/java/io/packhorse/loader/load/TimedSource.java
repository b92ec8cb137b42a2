package io.packhorse.loader.load;

import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source that records the newest time of each series. One thread.
 *
 * @param source closed with this one
 * @param times gets them
 */
record TimedSource(PointSource source, LastTimes times) implements PointSource {
  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    PointBatch batch = source.next();
    if (batch != null) {
      times.take(batch);
    }
    return batch;
  }

  @Override
  public Optional<SourcePosition> position() {
    return source.position();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
