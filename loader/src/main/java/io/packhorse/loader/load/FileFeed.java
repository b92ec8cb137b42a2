package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LedgerRecord;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.load.Destination.Acknowledgement;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.pipeline.ResumedSource;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.text.TextSource;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The points of files and pipes: one thread reads, others parse. */
final class FileFeed implements PointFeed {
  /** Few points are of fewer bytes. */
  private static final int POINT_BYTES = 8;

  private static final int CHUNK_BYTES_MIN = 1 << 12;

  private final LoadInputs inputs;
  private final LoadInput.Files settings;
  private final Rejects rejects;
  private final int threads;
  private final Duration checkpointInterval;
  private final Optional<Job> job;
  private final SeriesNames names = new SeriesNames();
  private final AnnouncingFormats formats;
  private final Points points;
  private final InputBytes bytes;
  private final long rejectedBefore;
  private final LastTimes times;

  /** What is being read; null before that. */
  private volatile @Nullable BudgetedSource reading;

  /**
   * Checks the beginning of every file.
   *
   * @param rejects the caller closes them
   * @param threads that parse, and shards that pack
   * @param job resumed from its last checkpoint, and given more of them if its input can be read
   *     again
   * @param announcer told how each input is read
   */
  FileFeed(
      LoadInputs inputs,
      LoadInput.Files settings,
      Rejects rejects,
      int threads,
      Duration checkpointInterval,
      Optional<Job> job,
      Announcer announcer)
      throws IOException, InterruptedException {
    this.inputs = inputs;
    this.settings = settings;
    this.rejects = rejects;
    this.threads = threads;
    this.checkpointInterval = checkpointInterval;
    this.job = job;
    formats =
        new AnnouncingFormats(
            new Formats(settings.reading(), names), inputs.saveMapping(), announcer);
    points = new Points(settings.reading().rules(), rejects);
    for (Input input : inputs.all()) {
      if (input.isPlainFile()) {
        InputSource.inspect(input, formats, points);
      }
    }
    bytes = new InputBytes(inputs.all());
    rejectedBefore =
        job.map(Job::rejectedBefore).orElse(Map.of()).values().stream()
            .mapToLong(Long::longValue)
            .sum();
    times = job.isPresent() ? job.get().takeSeries(names) : new LastTimes();
  }

  @Override
  public void run(LoadPipeline pipeline, SeriesResolver resolver, Destination destination)
      throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads, FileFeed::parser);
    try (PointSource source =
        new TimedSource(open(parsers(executor, destination), pipeline), times)) {
      pipeline.run(source, names, threads, sealPolicy(), checkpoints(destination));
    } finally {
      executor.shutdownNow();
    }
  }

  private TextSource.ParserPool parsers(ExecutorService executor, Destination destination) {
    long bytes = Math.max(CHUNK_BYTES_MIN, (long) POINT_BYTES * destination.queuedPointsMax());
    return new TextSource.ParserPool(executor, threads, (int) Math.min(Integer.MAX_VALUE, bytes));
  }

  private PointSource open(TextSource.ParserPool helpers, LoadPipeline pipeline)
      throws IOException {
    Optional<LedgerRecord.Checkpoint> last = job.flatMap(resumed -> resumed.checkpoint(0));
    SourcePosition from = last.map(LedgerRecord.Checkpoint::position).orElse(SourcePosition.START);
    long replacedBefore = job.map(Job::before).orElse(LoadCounts.NONE).replaced();
    BudgetedSource budgeted =
        new BudgetedSource(
            new InputSource(bytes.inputs(), formats, points, from, helpers),
            settings,
            last.map(checkpoint -> checkpoint.counts().read()).orElse(0L),
            points::leftOut,
            this::rejected,
            () -> replacedBefore + pipeline.counts().replaced());
    reading = budgeted;
    return job.isEmpty() ? budgeted : new ResumedSource(job.get().openHours(0), budgeted);
  }

  /** Idle hours are sealed by the clock only where points may be long in coming. */
  private SealPolicy sealPolicy() {
    return inputs.all().stream().allMatch(Input::isPlainFile) ? SealPolicy.FILES : SealPolicy.PIPES;
  }

  private Checkpoints checkpoints(Destination destination) {
    if (job.isEmpty()
        || !job.get().manifest().repeatable()
        || destination.acknowledgement() == Acknowledgement.AT_THE_END) {
      return Checkpoints.NONE;
    }
    return job.get().checkpoints(checkpointInterval, this::flushRejects);
  }

  private static Thread parser(Runnable task) {
    Thread thread = new Thread(task, "packhorse-lines");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public InputFindings findings() {
    return new InputFindings(formats.readings(), inputs.notes());
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

  /** Lines by reason, those of earlier runs of the job included. */
  Map<String, Long> rejectedByReason() {
    Map<String, Long> all = new LinkedHashMap<>(job.map(Job::rejectedBefore).orElse(Map.of()));
    rejects.byReason().forEach((reason, lines) -> all.merge(reason.toString(), lines, Long::sum));
    return all;
  }

  /** Points that were read and not asked for. */
  long leftOut() {
    return points.leftOut();
  }

  @Override
  public double share(LoadCounts counts, long loaded) {
    // Of what is read, some is packed and waits for the store: it is not loaded yet.
    double done = (double) loaded + counts.replaced() + rejected() + leftOut();
    BudgetedSource from = reading;
    double read = (from == null ? 0.0 : from.points()) + rejected() + leftOut();
    return bytes.share() < 0 ? -1 : read == 0 ? 0 : bytes.share() * Math.min(1, done / read);
  }

  @Override
  public double shareRead() {
    return bytes.share();
  }
}
