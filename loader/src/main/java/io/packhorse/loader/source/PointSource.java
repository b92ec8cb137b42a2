package io.packhorse.loader.source;

import io.packhorse.loader.point.PointBatch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where points come from. Used by one thread. */
public interface PointSource extends Closeable {
  /**
   * The next points.
   *
   * @return a batch of at least one point, valid until the next call; null at the end
   * @throws IOException if the input cannot be read further
   */
  @Nullable PointBatch next() throws IOException, InterruptedException;
}
