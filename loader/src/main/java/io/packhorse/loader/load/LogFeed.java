package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.pipeline.ResumedSource;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.LogSource;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.record.Rejects;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The points that clients sent, from the log of a receiver. */
final class LogFeed implements PointFeed {
  private final Intake intake;
  private final int visibleSeconds;
  private final boolean live;
  private final boolean stoppedByInterrupt;
  private final LoadSettings settings;
  private final Rejects rejects;
  private final Job job;
  private final SeriesNames names = new SeriesNames();
  private final LastTimes times;
  private final long rejectedBefore;
  private volatile @Nullable LogSource source;
  private volatile @Nullable LoadPipeline running;

  private LogFeed(
      Intake intake,
      boolean live,
      boolean stoppedByInterrupt,
      LoadSettings settings,
      Rejects rejects,
      Job job)
      throws IOException {
    this.intake = intake;
    this.stoppedByInterrupt = stoppedByInterrupt;
    this.visibleSeconds = ((LoadInput.Received) settings.input()).visibleSeconds();
    this.live = live;
    this.settings = settings;
    this.rejects = rejects;
    this.job = job;
    this.times = job.takeSeries(names);
    this.rejectedBefore = job.rejectedBefore().values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The points of a receiver that runs, until its intake ends.
   *
   * @param intake stays the caller's
   * @param job resumed from its last checkpoint
   */
  static LogFeed ofLive(Intake intake, LoadSettings settings, Rejects rejects, Job job)
      throws IOException {
    return new LogFeed(intake, true, false, settings, rejects, job);
  }

  /**
   * What a receiver that has ended has left in its log.
   *
   * @param stoppedByInterrupt whether it is left again when the process is told to end
   */
  static LogFeed ofRest(Job job, LoadSettings settings, Rejects rejects, boolean stoppedByInterrupt)
      throws IOException {
    LoadInput.Received received = (LoadInput.Received) settings.input();
    Intake intake = ReceiverLog.open(job, received, Long.MAX_VALUE);
    intake.end();
    try {
      return new LogFeed(intake, false, stoppedByInterrupt, settings, rejects, job);
    } catch (IOException | RuntimeException e) {
      intake.close();
      throw e;
    }
  }

  @Override
  public void run(LoadPipeline pipeline, SeriesResolver resolver, Destination destination)
      throws IOException, InterruptedException {
    long from = job.checkpoint(0).map(last -> last.position().offset()).orElse(0L);
    LogSource rest = intake.source(names, from, rejects);
    source = rest;
    running = pipeline;
    try (PointSource all = new TimedSource(new ResumedSource(job.openHours(0), rest), times)) {
      pipeline.run(
          all,
          names,
          settings.threads(),
          SealPolicy.live(live ? visibleSeconds : 0),
          new Freeing(job.checkpoints(settings.checkpointInterval(), this::flushRejects)));
    } finally {
      if (!live) {
        intake.close();
      }
    }
  }

  /** Gives up what lies before a checkpoint in the log. */
  private final class Freeing implements Checkpoints {
    private final Checkpoints checkpoints;

    Freeing(Checkpoints checkpoints) {
      this.checkpoints = checkpoints;
    }

    @Override
    public boolean due() {
      return checkpoints.due();
    }

    @Override
    public Optional<Pending> begin(SourcePosition position) throws IOException {
      return checkpoints.begin(position).map(pending -> new FreeingPending(pending, position));
    }
  }

  private final class FreeingPending implements Checkpoints.Pending {
    private final Checkpoints.Pending pending;
    private final SourcePosition position;

    FreeingPending(Checkpoints.Pending pending, SourcePosition position) {
      this.pending = pending;
      this.position = position;
    }

    @Override
    public void complete(LoadCounts counts, List<HourFile> openHours) throws IOException {
      pending.complete(counts, openHours);
      intake.free(position.offset());
    }

    @Override
    public void cost(long nanos) {
      pending.cost(nanos);
    }
  }

  @Override
  public boolean isStoppedByInterrupt() {
    return stoppedByInterrupt;
  }

  @Override
  public OptionalLong taken() {
    return live ? OptionalLong.of(intake.points()) : OptionalLong.empty();
  }

  @Override
  public SeriesNames names() {
    return names;
  }

  @Override
  public LastTimes times() {
    return times;
  }

  @Override
  public long rejected() {
    return rejectedBefore + rejects.total();
  }

  @Override
  public Map<String, Long> flushRejects() throws IOException {
    rejects.flush();
    return rejectedByReason();
  }

  /** Records by reason, those of earlier runs of the job included. */
  Map<String, Long> rejectedByReason() {
    Map<String, Long> all = new LinkedHashMap<>(job.rejectedBefore());
    rejects.byReason().forEach((reason, lines) -> all.merge(reason.toString(), lines, Long::sum));
    return all;
  }

  /** Points that the store has acknowledged in this run. Any thread. */
  long acknowledged() {
    LoadPipeline to = running;
    return to == null ? 0 : to.counts().acknowledged();
  }

  /** As {@link LoadPipeline#visibleUntilMs}. Any thread. */
  long visibleUntilMs() {
    LoadPipeline to = running;
    return to == null ? 0 : to.visibleUntilMs();
  }

  /** Rejects that the full file of the job has no room for; of this run. */
  long unwrittenRejects() {
    return rejects.unwritten();
  }

  /** Values that the rules leave out; of this run. */
  long leftOut() {
    LogSource from = source;
    return from == null ? 0 : from.leftOut();
  }

  @Override
  public double share(LoadCounts counts, long loaded) {
    return -1;
  }

  @Override
  public double shareRead() {
    return -1;
  }
}
