package io.packhorse.loader.job;

import io.packhorse.loader.job.LedgerRecord.Checkpoint;
import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Writes the checkpoints of one slice: brings the open hours to disk, then adds to the ledger. */
final class JobCheckpoints implements Checkpoints {
  /** A checkpoint may take one part of this many of the time. */
  private static final int COST_SHARE = 20;

  private final Job job;
  private final int slice;
  private final LoadCounts before;
  private final Job.Reading reading;
  private final long intervalNanos;
  private volatile boolean underWay;
  private volatile long nextNanos;

  /**
   * @param before what was packed when the load was resumed
   */
  JobCheckpoints(Job job, int slice, LoadCounts before, Duration interval, Job.Reading reading) {
    this.job = job;
    this.slice = slice;
    this.before = before;
    this.reading = reading;
    this.intervalNanos = interval.toNanos();
    this.nextNanos = System.nanoTime() + intervalNanos;
  }

  @Override
  public boolean due() {
    return !underWay && System.nanoTime() - nextNanos >= 0;
  }

  @Override
  public Optional<Pending> begin(SourcePosition position) throws IOException {
    underWay = true;
    long begun = System.nanoTime();
    Job.Kept kept;
    try {
      kept = reading.keep();
    } catch (IOException e) {
      throw failed(e);
    }
    return Optional.of(new Begun(position, kept, System.nanoTime() - begun));
  }

  /** A checkpoint under way. Its methods are called by one thread. */
  private final class Begun implements Pending {
    private final SourcePosition position;
    private final Job.Kept kept;
    private long costNanos;

    /**
     * @param costNanos what it has cost to begin it
     */
    Begun(SourcePosition position, Job.Kept kept, long costNanos) {
      this.position = position;
      this.kept = kept;
      this.costNanos = costNanos;
    }

    @Override
    public void cost(long nanos) {
      costNanos += nanos;
    }

    @Override
    public void complete(LoadCounts counts, List<HourFile> openHours) throws IOException {
      long begun = System.nanoTime();
      JobCheckpoints.this.complete(position, kept, before.plus(counts), openHours);
      long now = System.nanoTime();
      nextNanos = now + Math.max(intervalNanos, COST_SHARE * (costNanos + now - begun));
      underWay = false;
    }
  }

  private synchronized void complete(
      SourcePosition position, Job.Kept kept, LoadCounts counts, List<HourFile> openHours)
      throws IOException {
    List<LedgerRecord.Hours> hours;
    try {
      hours = job.keepHours(slice, openHours);
    } catch (IOException e) {
      throw failed(e);
    }
    job.appendCheckpoint(
        new Checkpoint(
            slice,
            position,
            counts,
            kept.rejected(),
            kept.rejectsBytes(),
            kept.seriesBytes(),
            kept.seriesCrc32c(),
            hours));
  }

  /** Without the cause, whose sentence would be taken for the whole. */
  private IOException failed(IOException e) {
    IOException failed =
        new IOException(
            "a checkpoint cannot be written to " + job.folder() + ": " + e.getMessage());
    failed.addSuppressed(e);
    return failed;
  }
}
