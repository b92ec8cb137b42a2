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
   * @return a batch, valid until the next call; an empty one if no points arrive for a while, so
   *     that the consumer is not kept waiting; null at the end
   * @throws IOException if the input cannot be read further
   */
  @Nullable PointBatch next() throws IOException, InterruptedException;

  /**
   * Where the points not yet returned begin, if the source can be opened there again. Empty if it
   * cannot, or not at this point: in the middle of a line, for example.
   */
  default Optional<SourcePosition> position() {
    return Optional.empty();
  }
}
