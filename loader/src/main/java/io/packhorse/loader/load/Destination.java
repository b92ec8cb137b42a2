package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the cells of a load go, with everything that a pipeline needs to know of the place. The
 * connection, if there is one, stays the caller's.
 */
abstract sealed class Destination implements Closeable
    permits StoreDestination, NullDestination, ComparisonDestination {
  /** Row keys of the embedded store: its salt has one byte and four buckets. */
  static final RowKeyLayout DEFAULT_ROW_KEYS =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  private static final int HEALTH_CHECK_MS = 500;

  private final CallLog callLog = new CallLog();
  private final ExecutorService calls = Executors.newCachedThreadPool(Destination::daemon);
  private final ScratchHours scratch = new ScratchHours();

  /** When stored points are acknowledged. */
  enum Acknowledgement {
    /** As each call is answered. */
    AT_ONCE,
    /** When the table is flushed, at each checkpoint. */
    AT_CHECKPOINTS,
    /** When everything is written. */
    AT_THE_END
  }

  abstract RowKeyLayout rowKeys();

  /** UIDs of the names of series. */
  abstract UidStore uids();

  abstract LoaderIds loaderIds();

  /**
   * Opens a sink, one for each shard.
   *
   * @param series records the series of the cells
   */
  abstract CellSink openSink(SeriesRecorder series) throws IOException;

  /**
   * What has to record the series of a load before their cells are stored.
   *
   * @param files for what memory has no room for
   */
  SeriesRecorder recorder(CellForm form, SeriesResolver resolver, LoadPipeline.HourFiles files) {
    return SeriesRecorder.NONE;
  }

  /** What takes note of the packed cells of one shard, if anything does. */
  Optional<SummedCells> openSummaries() {
    return Optional.empty();
  }

  /**
   * Stores what the cells of the load add up to; when all of them are acknowledged.
   *
   * @param before loaders of earlier runs of the job
   */
  void finishSummaries(List<LoaderId> before, Announcer announcer) throws IOException {}

  /** How far that is, or what else follows the cells; empty while cells are stored. Any thread. */
  Optional<Announcer.Status> finishing() {
    return Optional.empty();
  }

  /** Leaves summaries to be stored later; when the load was stopped, and sends no more cells. */
  void leaveSummaries(Announcer announcer) {}

  Acknowledgement acknowledgement() {
    return Acknowledgement.AT_ONCE;
  }

  /** About the most points that should be read before those ahead of them are packed. */
  int queuedPointsMax() {
    return Integer.MAX_VALUE;
  }

  /**
   * Writes loaded series to {@code tsdb-meta}, if the load is to do that; when all their points are
   * acknowledged.
   *
   * @param names all resolved
   */
  void writeSeriesMeta(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException, InterruptedException {}

  /**
   * Counts the points that the packer has counted twice, because the cells that hold them were
   * sealed apart; when all are acknowledged.
   *
   * @param run of the job; empty if the load is no job
   * @param packed points in all cells of the load, those of earlier runs included
   */
  Repeats repeats(
      LoadPipeline pipeline,
      SeriesResolver resolver,
      Optional<JobRun> run,
      long packed,
      Announcer announcer)
      throws IOException {
    return pipeline.sealedAgain().isEmpty() ? Repeats.NONE : Repeats.UNKNOWN;
  }

  /** The embedded store that the cells go to, if it is one; its death ends the load. */
  Optional<EmbeddedServer> embedded() {
    return Optional.empty();
  }

  /** Topic of the progress line. */
  String topic() {
    return "load";
  }

  /**
   * What an ended load leaves behind, and what to do next.
   *
   * @param resumeHint what to do; empty if the load is no job
   */
  String leftBehind(long acknowledged, Optional<String> resumeHint) {
    return HumanNumbers.count(
            acknowledged, "point was acknowledged and is", "points were acknowledged and are")
        + " safe; "
        + resumeHint.orElse(
            "run the same command again to load the rest: points that are there already count"
                + " once.");
  }

  /** Log of the calls to the store; of HFiles a call is the bulk load of a region. */
  final CallLog callLog() {
    return callLog;
  }

  /** Threads for calls to the store; they end with this object. */
  final ExecutorService calls() {
    return calls;
  }

  final SeriesResolver newResolver() {
    return new SeriesResolver(uids(), rowKeys().widths());
  }

  /**
   * @param job records the loader ids, and keeps open hours in its folder
   */
  final LoadPipeline newPipeline(CellForm form, SeriesResolver resolver, Optional<Job> job) {
    LoaderIds ids = job.map(on -> on.recording(loaderIds())).orElse(loaderIds());
    LoadPipeline.HourFiles hourFiles =
        job.<LoadPipeline.HourFiles>map(on -> on::newHourFile).orElse(scratch::next);
    SeriesRecorder series = recorder(form, resolver, hourFiles);
    LoadPipeline.SinkOpener sinks =
        new LoadPipeline.SinkOpener() {
          @Override
          public CellSink open() throws IOException {
            return openSink(series);
          }

          @Override
          public Optional<SummedCells> openSummaries() {
            return Destination.this.openSummaries();
          }
        };
    return new LoadPipeline(form, rowKeys(), resolver, ids, sinks, hourFiles, queuedPointsMax());
  }

  /**
   * Checks twice a second whether the embedded store is alive. A client alone would keep trying for
   * a minute, which is right for a cluster that moves regions but not for one dead process.
   *
   * @return the check, until closed; null if the store is not the embedded one
   */
  final @Nullable PeriodicTask watch(Consumer<IOException> onDeath) {
    return embedded()
        .map(
            server ->
                new PeriodicTask("load-health", () -> endIfDead(server, onDeath), HEALTH_CHECK_MS))
        .orElse(null);
  }

  private void endIfDead(EmbeddedServer server, Consumer<IOException> onDeath) {
    if (!server.hbase().isAlive()) {
      onDeath.accept(death(server));
      calls.shutdownNow();
    }
  }

  private static IOException death(EmbeddedServer server) {
    return new IOException(
        "the embedded HBase has ended, its log is in "
            + server.store().log()
            + "; start it again with: packhorse server start --dir "
            + server.store().root());
  }

  /** Loader ids from 1 on, for cells that are not stored. */
  static LoaderIds countedIds() {
    AtomicInteger lastId = new AtomicInteger();
    return () -> new LoaderId(lastId.incrementAndGet(), 0);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "packhorse-store");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() throws IOException {
    calls.shutdownNow();
    scratch.close();
  }
}
