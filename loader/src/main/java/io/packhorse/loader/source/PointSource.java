package io.packhorse.loader.source;

import io.packhorse.loader.point.PointBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where points come from. Used by one thread. */
public interface PointSource extends Closeable {
  /**
   * The next points.
   *
   * @return a batch, valid until the next call; without a point where there are none for a while,
   *     so that nobody waits for the next one; null at the end
   * @throws IOException if the input cannot be read further
   */
  @Nullable PointBatch next() throws IOException, InterruptedException;

  /**
   * Where the points not yet given begin, for a source that can be opened there again. Empty if it
   * cannot be, or not now: in the middle of a line, say.
   */
  default Optional<SourcePosition> position() {
    return Optional.empty();
  }
}
