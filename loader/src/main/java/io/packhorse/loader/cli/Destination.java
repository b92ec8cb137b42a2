package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.NullSink;
import io.packhorse.loader.sink.Pace;
import io.packhorse.loader.sink.PacedSink;
import io.packhorse.loader.sink.hbase.PutDurability;
import io.packhorse.loader.sink.hbase.PutSink;
import io.packhorse.loader.sink.hbase.TableFlush;
import io.packhorse.loader.sink.hfile.HFileLoad;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesMeta;
import io.packhorse.loader.verify.CellComparison;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.SeriesMetaRow;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidWidths;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Where the cells of a load go, with everything a pipeline needs to know of it. */
final class Destination implements Closeable {
  /** Of the heap, one part of this many holds cells that wait to be sorted. */
  private static final int SORT_MEMORY_SHARE = 4;

  /** Series from which on an HFile of them costs less than their Puts. */
  private static final int META_FILES_MIN = 10_000;

  /** Row keys of a load that stores nothing: those of the embedded store. */
  static final RowKeyLayout NOWHERE = new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  private final CallLog callLog;
  private final Place place;
  private final LoadPipeline.SinkOpener sinks;
  private final ExecutorService calls;
  private final Optional<HFileOutput> files;
  private final Optional<TableFlush> toDisk;
  private final Optional<HBaseSeriesMeta> seriesMeta;
  private final boolean comparison;
  private final ScratchHours scratch = new ScratchHours();

  /**
   * Where cells go: how their rows are named, and by whom.
   *
   * @param trouble that the store of the UIDs is in, if it is
   */
  private record Place(
      RowKeyLayout layout,
      UidStore uids,
      LoaderIds loaderIds,
      Supplier<Optional<IOException>> trouble) {
    static Place of(Target target, Executor calls) {
      return new Place(
          target.layout().rowKeys(),
          target.uids(calls),
          new HBaseLoaderIds(target.cluster().connection()),
          () -> target.embedded().flatMap(Destination::deathOf));
    }

    /** Loader ids from 1 on, for cells that are not stored. */
    static LoaderIds counted() {
      AtomicInteger lastId = new AtomicInteger();
      return () -> new LoaderId(lastId.incrementAndGet(), 0);
    }
  }

  /**
   * HFiles on their way.
   *
   * @param stage where they stay, if they are not handed over
   * @param meta whether their series are to be made known then
   * @param metaFiles begins the HFiles of series that are many
   * @param threads that write HFiles beside each other
   */
  private record HFileOutput(
      HFileLoad load, Optional<URI> stage, boolean meta, FilesOpener metaFiles, int threads) {}

  private interface FilesOpener {
    HFileLoad open() throws IOException;
  }

  /** Looks after the store while a load runs; ends with it. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  private Destination(
      CallLog callLog,
      Place place,
      LoadPipeline.SinkOpener sinks,
      ExecutorService calls,
      Optional<HFileOutput> files,
      Optional<TableFlush> toDisk,
      Optional<HBaseSeriesMeta> seriesMeta,
      boolean comparison) {
    this.callLog = callLog;
    this.files = files;
    this.toDisk = toDisk;
    this.seriesMeta = seriesMeta;
    this.place = place;
    this.sinks = sinks;
    this.calls = calls;
    this.comparison = comparison;
  }

  /**
   * Puts into HBase; the target stays the caller's.
   *
   * @param form of the cells
   * @param meta whether loaded series are made known
   * @param pace of all sinks together
   * @throws CommandException PREFLIGHT if HBase cannot make such Puts durable
   */
  static Destination puts(
      Target target, CellForm form, PutDurability durability, boolean meta, Optional<Pace> pace) {
    ExecutorService calls = Executors.newCachedThreadPool(Destination::daemon);
    CallLog log = new CallLog();
    Optional<TableFlush> toDisk =
        durability == PutDurability.SYNC ? Optional.empty() : Optional.of(flushOf(target, form));
    return new Destination(
        log,
        Place.of(target, calls),
        () -> {
          CellSink sink =
              new PutSink(
                  target.cluster().connection(),
                  target.cluster().withoutRetries(),
                  target.layout().dataTable(),
                  calls,
                  log,
                  durability,
                  toDisk);
          return pace.isEmpty() ? sink : new PacedSink(sink, pace.get());
        },
        calls,
        Optional.empty(),
        toDisk,
        meta ? Optional.of(target.seriesMeta()) : Optional.empty(),
        false);
  }

  private static TableFlush flushOf(Target target, CellForm form) {
    try {
      return TableFlush.of(
          target.cluster().connection(), target.layout().dataTable(), family(form));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.PREFLIGHT, "Nothing was loaded: " + LoadRun.cause(e) + ".", e);
    }
  }

  /**
   * HFiles, handed to HBase when all are written, or left in their stage; the target stays the
   * caller's.
   *
   * @param inRowOrder whether each thread makes its cells in the order of their rows
   * @param err told what earlier loads have left
   * @throws CommandException PREFLIGHT if there is no place to write them
   */
  static Destination hfiles(
      Target target, LoadOptions options, int threads, boolean inRowOrder, PrintWriter err) {
    Optional<URI> stage = options.stage();
    CallLog log = new CallLog();
    HFileLoad load;
    try {
      load =
          HFileLoad.open(
              target.cluster().connection(),
              hfileTarget(target, options.form(), stage, threads, inRowOrder),
              log);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.PREFLIGHT, "Nothing was loaded: " + LoadRun.cause(e) + ".", e);
    }
    ExecutorService calls = Executors.newCachedThreadPool(Destination::daemon);
    load.notes().forEach(note -> err.println("hfiles    " + note));
    return new Destination(
        log,
        Place.of(target, calls),
        load::openSink,
        calls,
        Optional.of(
            new HFileOutput(
                load,
                stage,
                options.meta(),
                () ->
                    HFileLoad.open(
                        target.cluster().connection(), metaTarget(target), new CallLog()),
                threads)),
        Optional.empty(),
        options.meta() && stage.isEmpty() ? Optional.of(target.seriesMeta()) : Optional.empty(),
        false);
  }

  private static HFileTarget metaTarget(Target target) {
    HFileTarget cells = hfileTarget(target, CellForm.PACKED, Optional.empty(), 1, true);
    return new HFileTarget(
        target.layout().metaTable(),
        SeriesMetaRow.FAMILY,
        cells.folder(),
        cells.sortFolder(),
        cells.sortBytesMax(),
        1,
        true);
  }

  /**
   * @param stage the folder's parent is where all is written; else it is the store's
   */
  static HFileTarget hfileTarget(
      Target target, CellForm form, Optional<URI> stage, int threads, boolean inRowOrder) {
    return new HFileTarget(
        target.layout().dataTable(),
        family(form),
        stage
            .map(folder -> folder.resolve("."))
            .or(() -> target.embedded().map(server -> server.store().hfiles().toUri())),
        target
            .embedded()
            .map(server -> server.store().hfiles())
            .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"))),
        Runtime.getRuntime().maxMemory() / SORT_MEMORY_SHARE,
        threads,
        inRowOrder);
  }

  private static String family(CellForm form) {
    return form == CellForm.PACKED ? StoreTables.PACKED_FAMILY : StoreTables.POINT_FAMILY;
  }

  /**
   * Has HFiles kept once all are written, with what must be known of the job, and that put on its
   * ledger; of other destinations nothing. Before the pipeline runs.
   *
   * @param names of the job's series; all resolved when everything is written
   */
  void keepFiles(
      LoadJob job,
      LoadPipeline pipeline,
      SeriesNames names,
      SeriesResolver resolver,
      Job.RejectsSoFar rejects)
      throws IOException {
    if (files.isPresent()) {
      HFileOutput output = files.get();
      output
          .load()
          .keep(
              new HFileLoad.Keeping() {
                private String tsuids = "";

                @Override
                public String name() {
                  return output
                      .stage()
                      .map(stage -> String.valueOf(Path.of(stage.getPath()).getFileName()))
                      .orElse(HFileCompletion.folderOf(job.job().manifest()));
                }

                @Override
                public boolean handedOver() {
                  return output.stage().isEmpty();
                }

                @Override
                public void prepare() throws IOException {
                  long unused = job.job().keepSeries();
                  tsuids = HFileCompletion.digest(names.size(), resolver::tsuid);
                }

                @Override
                public List<Path> beside() throws IOException {
                  return job.job()
                      .describeWritten(pipeline.counts(), rejects.flush(), output.meta(), tsuids);
                }

                @Override
                public void kept() throws IOException {
                  job.job().reach(JobState.WRITTEN, pipeline.counts(), rejects.flush());
                }

                @Override
                public boolean isFinished() {
                  return job.job().state() == JobState.LOADED;
                }
              });
    }
  }

  /**
   * Makes loaded series known to OpenTSDB's lookups, if that is wanted. When all their points are
   * acknowledged.
   *
   * @param names all resolved
   */
  void makeKnown(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException, InterruptedException {
    if (seriesMeta.isEmpty()) {
      return;
    }
    if (files.isPresent() && names.size() >= META_FILES_MIN) {
      List<HBaseSeriesMeta.Part> parts =
          seriesMeta
              .get()
              .parts(names.size(), resolver::tsuid, times::ofSeries, files.get().threads(), calls);
      try (HFileLoad load = files.get().metaFiles().open()) {
        write(parts, load);
      }
    } else {
      seriesMeta.get().write(names.size(), resolver::tsuid, times::ofSeries);
    }
  }

  /** Writes each part into an HFile on a thread of its own; the first failure ends the others. */
  private void write(List<HBaseSeriesMeta.Part> parts, HFileLoad load)
      throws IOException, InterruptedException {
    CompletionService<Void> writing = new ExecutorCompletionService<>(calls);
    List<Future<Void>> begun = new ArrayList<>();
    List<CellSink> sinks = parts.stream().map(part -> load.openSink()).toList();
    try {
      for (int i = 0; i < sinks.size(); i++) {
        HBaseSeriesMeta.Part part = parts.get(i);
        CellSink sink = sinks.get(i);
        begun.add(
            writing.submit(
                () -> {
                  try (sink) {
                    part.giveTo(sink::write);
                    sink.flush();
                  }
                  return null;
                }));
      }
      for (int i = 0; i < begun.size(); i++) {
        Void unused = writing.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      begun.forEach(each -> each.cancel(true));
    }
  }

  /** Nowhere: measures everything before the store, and needs none. */
  static Destination nowhere() {
    return new Destination(
        new CallLog(),
        new Place(NOWHERE, new MemoryUidStore(), Place.counted(), Optional::empty),
        NullSink::new,
        Executors.newCachedThreadPool(Destination::daemon),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /**
   * Into a comparison with what is stored; nothing is written, and no UID assigned. The target
   * stays the caller's.
   */
  static Destination comparing(Target target, CellComparison comparison) {
    ExecutorService calls = Executors.newCachedThreadPool(Destination::daemon);
    Place place = Place.of(target, calls);
    return new Destination(
        new CallLog(),
        new Place(place.layout(), target.knownUids(), Place.counted(), place.trouble()),
        comparison::openSink,
        calls,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        true);
  }

  private static Optional<IOException> deathOf(EmbeddedServer server) {
    return server.hbase().isAlive()
        ? Optional.empty()
        : Optional.of(
            new IOException(
                "the embedded HBase has ended, its log is in "
                    + server.store().log()
                    + "; start it again with: packhorse server start --dir "
                    + server.store().root()));
  }

  /**
   * Asks twice a second whether the store is still there. A client alone would go on trying for a
   * minute, which is right for a cluster that moves regions but not for one dead process.
   */
  Watch watch(Consumer<IOException> onTrouble) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(Destination::daemon);
    var unused =
        timer.scheduleWithFixedDelay(
            () ->
                place
                    .trouble()
                    .get()
                    .ifPresent(
                        reason -> {
                          onTrouble.accept(reason);
                          calls.shutdownNow();
                        }),
            500,
            500,
            TimeUnit.MILLISECONDS);
    return timer::shutdownNow;
  }

  /** How calls to the store go; of HFiles a call hands over those of a region. */
  CallLog callLog() {
    return callLog;
  }

  RowKeyLayout layout() {
    return place.layout();
  }

  /** Whether points are compared with those stored, and none is. */
  boolean isComparison() {
    return comparison;
  }

  /** Whether nothing is acknowledged before everything is written. */
  boolean acknowledgesAtTheEnd() {
    return files.isPresent();
  }

  /** Whether what is stored is acknowledged some time after it was. */
  boolean acknowledgesLate() {
    return acknowledgesAtTheEnd() || toDisk.isPresent();
  }

  SeriesResolver newResolver() {
    return new SeriesResolver(place.uids(), place.layout().widths());
  }

  /**
   * @param job puts its loader ids on its ledger, and has open hours in its folder
   */
  LoadPipeline newPipeline(CellForm form, SeriesResolver resolver, Optional<LoadJob> job) {
    LoaderIds ids = job.map(on -> on.job().recording(place.loaderIds())).orElse(place.loaderIds());
    LoadPipeline.HourFiles hourFiles =
        job.<LoadPipeline.HourFiles>map(on -> on.job()::newHourFile).orElse(scratch::next);
    return new LoadPipeline(form, place.layout(), resolver, ids, sinks, hourFiles);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "packhorse-store");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() throws IOException {
    calls.shutdownNow();
    try (scratch) {
      if (files.isPresent()) {
        files.get().load().close();
      }
    }
  }
}
