package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pack.OpenHours;
import io.packhorse.loader.source.SourcePosition;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Keeps the last completed checkpoint in memory; they are due at random. */
final class MemoryCheckpoints implements Checkpoints {
  /** A completed checkpoint. */
  record Kept(SourcePosition position, LoadCounts counts, List<HourFile> hours) {
    OpenHours openHours() {
      return new OpenHours(hours);
    }
  }

  private final SplittableRandom random;
  private Kept last = new Kept(new SourcePosition(0, 0, 0), LoadCounts.NONE, List.of());
  private LoadCounts before = LoadCounts.NONE;

  MemoryCheckpoints(SplittableRandom random) {
    this.random = random;
  }

  synchronized Kept last() {
    return last;
  }

  /** Tells that a load resumes from the last one. */
  synchronized void resumed() {
    before = last.counts().withoutOpenHours();
  }

  @Override
  public boolean due() {
    return random.nextInt(4) == 0;
  }

  @Override
  public Optional<Pending> begin(SourcePosition position) {
    return Optional.of((counts, openHours) -> keep(position, counts, openHours));
  }

  private synchronized void keep(
      SourcePosition position, LoadCounts counts, List<HourFile> openHours) {
    last = new Kept(position, before.plus(counts), List.copyOf(openHours));
  }
}
