package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LedgerRecord;
import io.packhorse.loader.load.Destination.Acknowledgement;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.HeapWatch;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.point.Tags;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.generated.GeneratedPoints;
import io.packhorse.loader.source.generated.GeneratedRange;
import io.packhorse.loader.source.generated.GeneratedRowSource;
import io.packhorse.loader.source.generated.GeneratedSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Generated points: each thread generates its own share of the series. */
final class GeneratedFeed implements PointFeed {
  private static final int SERIES_A_CHECK = 16_384;

  private final GeneratedPoints points;
  private final int threads;
  private final Duration checkpointInterval;
  private final Optional<Job> job;
  private final SeriesNames names = new SeriesNames();
  private final LastTimes times;

  /**
   * @param threads of a resumed job, as many as it began with
   * @param job resumed from its checkpoints, and given more of them
   */
  GeneratedFeed(GeneratedPoints points, int threads, Duration checkpointInterval, Optional<Job> job)
      throws IOException {
    this.points = points;
    this.threads = threads;
    this.checkpointInterval = checkpointInterval;
    this.job = job;
    times = job.isPresent() ? job.get().takeSeries(names) : new LastTimes();
  }

  /** Names and resolves all series; millions may be more than the heap holds. */
  private void resolve(SeriesResolver resolver) throws IOException {
    HeapWatch heap = new HeapWatch();
    long lastMs = points.startSeconds() * 1000 + (points.points() - 1) * points.intervalMs();
    Tags before = points.seriesName(0).tags();
    for (int series = 0; series < points.seriesCount(); series++) {
      SeriesName name = points.seriesName(series);
      // The series of one device share the object.
      Tags tags = name.tags().equals(before) ? before : name.tags();
      before = tags;
      names.intern(new SeriesName(name.metric(), tags));
      if (series % SERIES_A_CHECK == 0) {
        resolver.resolveMany(names);
        heap.check(names.size());
      }
    }
    resolver.resolveAll(names);
    names.freeze();
    times.takeEach(names.size(), points.startSeconds() * 1000, lastMs);
  }

  @Override
  public void run(LoadPipeline pipeline, SeriesResolver resolver, Destination destination)
      throws IOException, InterruptedException {
    resolve(resolver);
    if (destination.acknowledgement() == Acknowledgement.AT_THE_END) {
      runInRowOrder(pipeline, resolver, destination);
    } else {
      runInSlices(pipeline);
    }
  }

  private void runInSlices(LoadPipeline pipeline) throws IOException, InterruptedException {
    int slices = Math.min(threads, points.seriesCount());
    List<GeneratedSource> sources = new ArrayList<>();
    List<Checkpoints> checkpoints = new ArrayList<>();
    for (int slice = 0; slice < slices; slice++) {
      int number = slice;
      SourcePosition from =
          job.flatMap(resumed -> resumed.checkpoint(number))
              .map(LedgerRecord.Checkpoint::position)
              .orElse(new SourcePosition(slice, 0, 0));
      sources.add(new GeneratedSource(points, slice, slices, from));
      checkpoints.add(
          job.map(on -> on.checkpoints(checkpointInterval, number)).orElse(Checkpoints.NONE));
    }
    pipeline.runSlices(sources, SealPolicy.WHOLE_HOURS, checkpoints);
  }

  /** Each thread makes its cells in the order of their rows, so that nothing has to be sorted. */
  private void runInRowOrder(
      LoadPipeline pipeline, SeriesResolver resolver, Destination destination)
      throws IOException, InterruptedException {
    List<GeneratedRowSource> sources = new ArrayList<>();
    for (List<GeneratedRange> ranges :
        RowRanges.plan(
            points,
            destination.rowKeys(),
            resolver::tsuid,
            resolver.inOrder(series -> true),
            threads)) {
      sources.add(new GeneratedRowSource(points, ranges));
    }
    pipeline.runSlices(sources, SealPolicy.WHOLE_HOURS);
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
    return 0;
  }

  @Override
  public Map<String, Long> flushRejects() {
    return Map.of();
  }

  @Override
  public double share(LoadCounts counts, long loaded) {
    return (double) loaded / points.totalPoints();
  }

  @Override
  public double shareRead() {
    return (double) names.size() / points.seriesCount();
  }
}
