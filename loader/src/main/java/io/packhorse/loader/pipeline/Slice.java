package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A source that one shard reads itself, with checkpoints of its own. */
final class Slice implements ShardInput {
  private final PointSource source;
  private final Checkpoints checkpoints;
  private final BooleanSupplier stopped;
  private boolean ended;

  /**
   * @param stopped asked before each batch; when it says so, one more checkpoint is the end
   */
  Slice(PointSource source, Checkpoints checkpoints, BooleanSupplier stopped) {
    this.source = source;
    this.checkpoints = checkpoints;
    this.stopped = stopped;
  }

  @Override
  public @Nullable Step next() throws IOException, InterruptedException {
    if (ended) {
      return null;
    }
    ended = stopped.getAsBoolean();
    if (ended || checkpoints.due()) {
      Optional<Barrier> barrier = barrier(source, checkpoints, 1);
      if (barrier.isPresent()) {
        return new Step(null, barrier.get());
      }
    }
    PointBatch batch = ended ? null : source.next();
    return batch == null ? null : new Step(batch, null);
  }

  /** Begins a checkpoint where a source is, if it can be read again from there. */
  static Optional<Barrier> barrier(PointSource source, Checkpoints checkpoints, int shards)
      throws IOException {
    Optional<SourcePosition> position = source.position();
    return position.isEmpty()
        ? Optional.empty()
        : checkpoints.begin(position.get()).map(pending -> new Barrier(pending, shards));
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
