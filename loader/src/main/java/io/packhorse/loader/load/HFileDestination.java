package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pack.HourPacker.SealedAgain;
import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.sink.hfile.HFileLoad;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.loader.sink.hfile.RepeatedPoints;
import io.packhorse.loader.sink.hfile.Staging;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** HFiles, bulk-loaded when all are written, or left in their stage. */
final class HFileDestination extends StoreDestination {
  /** The share of the heap that holds cells until they are sorted. */
  private static final double SORT_MEMORY_SHARE = 0.25;

  /** Series from which on HFiles of {@code tsdb-meta} and of summaries cost less than Puts. */
  static final int SERIES_FILES_MIN = 10_000;

  private final HFileLoad load;
  private final Optional<URI> stage;
  private final int threads;
  private @Nullable Job job;

  /**
   * @param stage the directory that the files stay in; empty to bulk-load them
   * @param threads that write HFiles beside each other
   * @param inRowOrder whether each thread makes its cells in the order of their rows
   * @param announcer told what earlier loads have left behind
   * @throws OperationException REFUSED if there is no place to write them
   */
  HFileDestination(
      StoreConnection to,
      CellForm form,
      Optional<URI> stage,
      boolean seriesMeta,
      int threads,
      boolean inRowOrder,
      Announcer announcer) {
    super(to, seriesMeta);
    this.stage = stage;
    this.threads = threads;
    try {
      load =
          HFileLoad.open(
              to.cluster().connection(), target(to, form, stage, threads, inRowOrder), callLog());
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Nothing was loaded: " + Causes.sentence(e) + ".", e);
    }
    load.notes().forEach(note -> announcer.say("hfiles", note));
  }

  /**
   * Where HFiles of the data table are written.
   *
   * @param stage its parent directory is that place; without one it is the table's file system
   */
  static HFileTarget target(
      StoreConnection to, CellForm form, Optional<URI> stage, int threads, boolean inRowOrder) {
    return new HFileTarget(
        to.layout().dataTable(),
        form.family(),
        stage
            .map(folder -> folder.resolve("."))
            .or(() -> to.embedded().map(server -> server.store().hfiles().toUri())),
        to.embedded()
            .map(server -> server.store().hfiles())
            .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"))),
        (long) (Runtime.getRuntime().maxMemory() * SORT_MEMORY_SHARE),
        threads,
        inRowOrder);
  }

  /**
   * Has the files staged once all are written, together with what has to be known of their job, and
   * that put on the job's ledger. Before the pipeline runs.
   *
   * @param names of the job's series; all resolved when everything is written
   * @param feed tells the rejects so far
   * @param limits of replaced points, checked before anything is staged
   */
  void stageFor(
      Job ofJob,
      LoadPipeline pipeline,
      SeriesNames names,
      SeriesResolver resolver,
      PointFeed feed,
      LoadInput limits)
      throws IOException {
    job = ofJob;
    load.stage(
        new Staging(
            stage
                .map(folder -> String.valueOf(Path.of(folder.getPath()).getFileName()))
                .orElse(StagedBulkLoad.folderOf(ofJob.manifest())),
            stage.isEmpty(),
            new StagingSteps(ofJob, pipeline, names, resolver, feed, limits)));
  }

  /** What a job does while its files are staged. */
  private final class StagingSteps implements Staging.Steps {
    private final Job job;
    private final LoadPipeline pipeline;
    private final SeriesNames names;
    private final SeriesResolver resolver;
    private final PointFeed feed;
    private final LoadInput limits;
    private String tsuids = "";

    StagingSteps(
        Job job,
        LoadPipeline pipeline,
        SeriesNames names,
        SeriesResolver resolver,
        PointFeed feed,
        LoadInput limits) {
      this.job = job;
      this.pipeline = pipeline;
      this.names = names;
      this.resolver = resolver;
      this.feed = feed;
      this.limits = limits;
    }

    @Override
    public void cellsComplete() throws IOException {
      job.keepSeries();
      tsuids = StagedBulkLoad.digest(names.size(), resolver::tsuid);
    }

    @Override
    public List<Path> describe() throws IOException {
      if (limits instanceof LoadInput.Files files) {
        BudgetedSource.check(files, counts().replaced(), counts().read(), true);
      }
      return job.describeStaged(counts(), feed.flushRejects(), seriesMeta, tsuids);
    }

    @Override
    public void staged() throws IOException {
      job.reach(JobState.STAGED, counts(), feed.flushRejects());
    }

    private LoadCounts counts() {
      return pipeline.counts().withRepeated(load.repeatedPoints());
    }
  }

  @Override
  CellSink openSink(SeriesRecorder series) {
    load.recordSeries(series);
    return load.openSink();
  }

  @Override
  boolean storesCells() {
    return stage.isEmpty();
  }

  @Override
  Optional<ExecutorService> summaryHFiles() {
    return Optional.of(calls());
  }

  /** All cells of a row have met when they were sorted. */
  @Override
  Repeats repeats(
      LoadPipeline pipeline,
      SeriesResolver resolver,
      Optional<JobRun> run,
      long packed,
      Announcer announcer) {
    return new Repeats(
        load.repeatedPoints(),
        true,
        load.firstRepeated().flatMap(place -> timeOf(place, pipeline.sealedAgain(), resolver)));
  }

  private Optional<RepeatedTime> timeOf(
      RepeatedPoints.Place place, SealedAgain again, SeriesResolver resolver) {
    return Arrays.stream(again.keys())
        .filter(
            key ->
                Arrays.equals(
                    place.rowKey(),
                    rowKeys()
                        .rowKey(
                            resolver.tsuid(StoredPoints.series(key)), StoredPoints.seconds(key))))
        .mapToObj(
            key ->
                new RepeatedTime(
                    StoredPoints.series(key), StoredPoints.seconds(key) * 1000 + place.offsetMs()))
        .findFirst();
  }

  @Override
  Acknowledgement acknowledgement() {
    return Acknowledgement.AT_THE_END;
  }

  @Override
  void storeSeriesMeta(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException, InterruptedException {
    SeriesMetaWriter writer = new SeriesMetaWriter(to);
    if (names.size() >= SERIES_FILES_MIN) {
      writer.bulkLoad(names, resolver, times, threads, calls());
    } else {
      writer.put(names, resolver, times);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (job != null && job.state() == JobState.LOADED) {
        load.releaseStaged();
      }
      load.close();
    } finally {
      super.close();
    }
  }
}
