package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A source that one shard reads itself, with its own checkpoints. One thread. */
final class Slice implements ShardInput {
  private final PointSource source;
  private final Checkpoints checkpoints;
  private final BooleanSupplier stopped;
  private boolean ended;

  /** Whether the source has ended, and a checkpoint at its end is still to be made. */
  private boolean last;

  /**
   * @param stopped asked before each batch; once true, a last checkpoint is made and nothing is
   *     read
   */
  Slice(PointSource source, Checkpoints checkpoints, BooleanSupplier stopped) {
    this.source = source;
    this.checkpoints = checkpoints;
    this.stopped = stopped;
  }

  @Override
  public @Nullable Step next() throws IOException, InterruptedException {
    if (ended) {
      Optional<Barrier> barrier = last ? Barrier.begin(source, checkpoints, 1) : Optional.empty();
      last = false;
      return barrier.map(of -> new Step(null, of)).orElse(null);
    }
    ended = stopped.getAsBoolean();
    if (ended || checkpoints.due()) {
      Optional<Barrier> barrier = Barrier.begin(source, checkpoints, 1);
      if (barrier.isPresent()) {
        return new Step(null, barrier.get());
      }
    }
    PointBatch batch = ended ? null : source.next();
    last = !ended && batch == null;
    ended |= batch == null;
    return batch == null ? null : new Step(batch, null);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
