package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.PartLedger;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.hbase.RowDeletes;
import io.packhorse.loader.repack.DeleteRows;
import io.packhorse.loader.repack.PackRows;
import io.packhorse.loader.repack.RepackCount;
import io.packhorse.loader.repack.RepackCounts;
import io.packhorse.loader.repack.RowPacker;
import io.packhorse.loader.repack.RowSize;
import io.packhorse.loader.repack.VerifyRows;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.Pace;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.sink.hbase.PutSink;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.SummaryBuilder;
import io.packhorse.loader.summary.hbase.SummaryRange;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The stages of a repack: packs, verifies, and deletes the old columns; the last two in one scan if
 * deletes are asked for from the beginning. Each keeps a ledger of its parts in a folder of the
 * job; a resumed run continues with the parts that are not in it.
 */
final class RepackStages {
  /** Lines of what was left that are shown. */
  private static final int EXAMPLES = 10;

  /** The stages' folders. The third does what the second and the last do, in one scan. */
  private static final String PACK = "pack";

  private static final String VERIFY = "verify";
  private static final String REPLACE = "replace";
  private static final String DELETE = "delete";

  private final Job job;
  private final LoadInput.Stored input;
  private final PointSelection wanted;
  private final StoreConnection to;
  private final LoaderId loader;
  private final SummaryClaim hours;
  private final Announcer announcer;
  private final RepackSeries series;
  private final Optional<Pace> pace;
  private final Optional<String> pattern;
  private final RepackCounts live = new RepackCounts();

  /**
   * @param loader of the new cells, on the job's ledger
   * @param hours a claim of everything that is wanted
   */
  RepackStages(
      Job job,
      PointSelection wanted,
      StoreConnection to,
      LoaderId loader,
      SummaryClaim hours,
      Announcer announcer)
      throws IOException {
    this.job = job;
    this.input = (LoadInput.Stored) job.manifest().settings().input();
    this.wanted = wanted;
    this.to = to;
    this.loader = loader;
    this.hours = hours;
    this.announcer = announcer;
    this.series = new RepackSeries(to);
    long rate = ((LoadOutput.Puts) job.manifest().settings().output()).pointsPerSecond();
    this.pace = rate == 0 ? Optional.empty() : Optional.of(new Pace(rate));
    this.pattern = wanted.pattern(to);
  }

  /**
   * Runs the stages that are left.
   *
   * @param delete whether the last one is wanted
   */
  void run(boolean delete) throws IOException, InterruptedException, ExecutionException {
    if (job.state() == JobState.OPEN) {
      store(delete);
    }
    if (delete && !job.state().isFinal()) {
      awaitQueries();
      // Before the first delete: from now on the job cannot be rolled back.
      reach(JobState.DELETING);
      claim(Reason.DELETED);
      boolean inOneScan = begun(REPLACE);
      if (inOneScan) {
        replace();
      }
      if (!inOneScan || counts().get(RepackCount.CHANGED) > 0) {
        awaitQueries();
        delete();
      }
      summarise();
      reach(JobState.REPACKED);
    }
  }

  /** Packs; and verifies, unless the stage that deletes does it in the same scan. */
  private void store(boolean delete) throws IOException, InterruptedException, ExecutionException {
    claim(Reason.WRITING);
    pack();
    boolean inOneScan = delete && !begun(VERIFY);
    if (inOneScan) {
      // After a crash, the existence of this ledger tells resume to verify and delete in one scan.
      ledger(REPLACE);
    } else {
      verify();
    }
    claim(Reason.NOT_SUMMARISED);
    SummarisedCells.build(to, List.of(loader), announcer);
    if (!inOneScan) {
      reach(JobState.VERIFIED);
    }
  }

  /** Counts of all stages, those of earlier runs included. */
  RepackCounts counts() throws IOException {
    RepackCounts all = new RepackCounts();
    for (String stage : List.of(PACK, VERIFY, REPLACE, DELETE)) {
      if (begun(stage)) {
        ledger(stage).counts().forEach(all::addAll);
      }
    }
    return all;
  }

  /**
   * Lists what was left, in one file.
   *
   * @return its first lines
   */
  List<String> left(Path file) throws IOException {
    return LeftRowsFile.join(List.of(folder(PACK), folder(DELETE)), file, EXAMPLES);
  }

  private void pack() throws IOException, InterruptedException, ExecutionException {
    stage(
        PACK,
        RepackCount.POINTS,
        (part, ranges) -> {
          RepackCounts counts = new RepackCounts(live);
          try (PartCells cells = new PartCells();
              LeftRowsFile left = new LeftRowsFile(folder(PACK), part)) {
            RowPacker packer = new RowPacker(to.layout().rowKeys(), loader);
            scan(ranges, new PackRows(packer, cells, left, counts));
            cells.flush();
          }
          return counts.toArray();
        });
  }

  private void verify() throws IOException, InterruptedException, ExecutionException {
    stage(
        VERIFY, RepackCount.VERIFIED, (part, ranges) -> verify(ranges, Optional.empty()).toArray());
  }

  /** Verifies, and deletes the old columns of each row that was just read and compared. */
  private void replace() throws IOException, InterruptedException, ExecutionException {
    stage(
        REPLACE,
        RepackCount.VERIFIED,
        (part, ranges) -> {
          RowDeletes deletes = new RowDeletes(to.cluster().connection(), to.layout().dataTable());
          RepackCounts counts = verify(ranges, Optional.of(deletes::delete));
          deletes.flush();
          return counts.toArray();
        });
  }

  private RepackCounts verify(List<KeyRange> ranges, Optional<DeleteRows.Deletes> deletes)
      throws IOException {
    RepackCounts counts = new RepackCounts(live);
    try (PartCells cells = new PartCells()) {
      RowPacker packer = new RowPacker(to.layout().rowKeys(), loader);
      VerifyRows rows = new VerifyRows(loader, packer, cells, to.rows(), deletes, counts);
      scan(ranges, rows);
      rows.finish();
    }
    return counts;
  }

  private void delete() throws IOException, InterruptedException, ExecutionException {
    stage(
        DELETE,
        RepackCount.DELETED,
        (part, ranges) -> {
          RepackCounts counts = new RepackCounts(live);
          RowDeletes deletes = new RowDeletes(to.cluster().connection(), to.layout().dataTable());
          try (LeftRowsFile left = new LeftRowsFile(folder(DELETE), part)) {
            scan(ranges, new DeleteRows(loader, deletes::delete, left, counts));
            deletes.flush();
          }
          return counts.toArray();
        });
  }

  private void stage(String name, RepackCount figure, PartRun.Work work)
      throws IOException, InterruptedException, ExecutionException {
    PartLedger ledger = ledger(name);
    String what =
        switch (figure) {
          case POINTS -> "points packed";
          case VERIFIED -> "series-hours verified";
          default -> "columns deleted";
        };
    ledger.counts().forEach(live::addAll);
    new PartRun(ledger.parts(), Optional.of(ledger))
        .run(announcer, name, () -> HumanNumbers.count(live.get(figure)) + " " + what, work);
  }

  /** The ledger of a stage; all stages have the parts of the first. */
  private PartLedger ledger(String stage) throws IOException {
    String settings = wanted.toString();
    try {
      if (begun(stage)) {
        return PartLedger.resume(folder(stage), settings);
      }
      List<List<KeyRange>> parts =
          stage.equals(PACK) ? wanted.parts(to) : PartLedger.resume(folder(PACK), settings).parts();
      return PartLedger.begin(folder(stage), settings, parts);
    } catch (PartLedger.RefusedException e) {
      throw new OperationException(
          Kind.REFUSED,
          "Job " + job.manifest().id() + " cannot be resumed: " + e.getMessage() + ".",
          e);
    }
  }

  private boolean begun(String stage) {
    return PartLedger.exists(folder(stage));
  }

  private Path folder(String stage) {
    return job.folder().resolve(stage);
  }

  private void scan(List<KeyRange> ranges, RowSource.Visitor visitor) throws IOException {
    RowSelection rows = new RowSelection(ranges, pattern);
    if (pace.isEmpty()) {
      to.rows().scan(rows, visitor);
      return;
    }
    to.rows()
        .scan(
            rows,
            row -> {
              try {
                pace.get().await(RowSize.points(row));
              } catch (InterruptedException e) {
                throw new InterruptedIOException(e.getMessage());
              }
              visitor.row(row);
            });
  }

  /**
   * A query reads packed cells and OpenTSDB's own columns one after the other. One that saw a row
   * before its new cell was there must have seen the old columns before they go.
   */
  private void awaitQueries() throws IOException, InterruptedException {
    long packed = 0;
    for (String stage : List.of(PACK, VERIFY, REPLACE)) {
      packed = Math.max(packed, begun(stage) ? ledger(stage).lastCompleteMs() : 0);
    }
    long wait = packed + input.queryTimeoutMs() - System.currentTimeMillis();
    if (wait > 0) {
      announcer.say(
          "delete",
          "begins in "
              + HumanNumbers.seconds(wait / 1000.0)
              + ", when queries that began before the last cell was stored have ended");
      TimeUnit.MILLISECONDS.sleep(wait);
    }
  }

  private void claim(Reason reason) throws IOException {
    to.claims()
        .put(
            loader.id(),
            new SummaryClaim(reason, hours.fromSeconds(), hours.toSeconds(), hours.metrics()));
  }

  /** Cells that were deleted, or stored again, are in summaries as they were: builds them again. */
  private void summarise() throws IOException {
    HBaseClaims claims = to.claims();
    RepackCounts all = counts();
    if (all.get(RepackCount.DELETED_CELLS) == 0 && all.get(RepackCount.CHANGED) == 0) {
      claims.remove(loader.id());
      return;
    }
    claim(Reason.NOT_SUMMARISED);
    if (!to.summaries().exists()) {
      return;
    }
    SummaryBuilder builder = to.summaryBuilder(loader);
    if (builder.isBesideAnother()) {
      announcer.say(
          "summaries",
          "are being built by another process: queries read the cells of these hours until"
              + " packhorse summary build is run again");
      return;
    }
    AtomicLong cells = new AtomicLong();
    try (Announcer.Progress progress =
        announcer.progress(
            () ->
                Announcer.Status.of(
                    "summaries",
                    HumanNumbers.count(cells.get(), "cell", "cells") + " summed up so far"))) {
      builder.build(SummaryRange.around(List.of(hours)), Set.of(), cells::set);
    }
  }

  private void reach(JobState state) throws IOException {
    RepackCounts all = counts();
    long points = all.get(RepackCount.POINTS);
    long replaced = all.get(RepackCount.REPLACED);
    job.reach(
        state,
        new LoadCounts(
            points + replaced,
            points,
            replaced,
            points,
            all.get(RepackCount.CELLS),
            all.get(RepackCount.CELL_BYTES),
            all.get(RepackCount.VALUE_BYTES)),
        Map.of());
  }

  /** Stores the cells of a part. One thread. */
  private final class PartCells implements VerifyRows.Cells, AutoCloseable {
    private final ExecutorService calls = Executors.newCachedThreadPool();
    private final CellSink sink;

    PartCells() throws IOException {
      sink =
          new PutSink(
              to.cluster().connection(),
              to.cluster().withoutRetries(),
              to.layout().dataTable(),
              calls,
              new CallLog(),
              PutDurability.SYNC,
              Optional.empty(),
              series);
    }

    @Override
    public void write(CellWrite cell) throws IOException {
      try {
        series.note(to.layout().rowKeys().tsuid(cell.rowKey()));
        sink.write(cell);
      } catch (MalformedCellException e) {
        throw new IllegalStateException("a row that was packed has a key", e);
      } catch (InterruptedException e) {
        throw new InterruptedIOException(e.getMessage());
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        sink.flush();
      } catch (InterruptedException e) {
        throw new InterruptedIOException(e.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      try {
        sink.close();
      } finally {
        calls.shutdownNow();
      }
    }
  }
}
