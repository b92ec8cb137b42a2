package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.hbase.LoaderColumns;
import io.packhorse.loader.verify.CellComparison;
import io.packhorse.loader.verify.VerifyReport;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.packed.PackedCellHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads back what a job has stored, or one shard of it, its own cells alone.
 *
 * @param job finished
 * @param from the store
 */
record JobVerification(JobFolder.Entry job, Target from, PrintWriter err) {
  private static final int SAMPLED_ROWS = 16;

  /** How much is looked at. */
  enum Level {
    /** Points stored, against the ledger. */
    COUNTS,
    /** As FULL, for one row in sixteen. */
    SAMPLE,
    /** Every point, against the input, which is read or generated again. */
    FULL
  }

  JobVerification {
    if (job.history().state() != JobState.LOADED) {
      throw refused(job.manifest(), "it is " + job.history().state());
    }
    if (!isPacked(job)) {
      throw refused(job.manifest(), "its compacted cells do not say who wrote them");
    }
    Optional<String> elsewhere = LoadJob.otherStore(job.manifest(), from);
    if (elsewhere.isPresent()) {
      throw refused(job.manifest(), elsewhere.get());
    }
  }

  /** A job that cannot be compared with what is stored. */
  static CommandException refused(Manifest manifest, String why) {
    JobShard part = manifest.part();
    return new CommandException(
        ExitCode.PREFLIGHT,
        "Job "
            + manifest.id()
            + (part.isWhole() ? "" : ", shard " + part + ",")
            + " cannot be verified: "
            + why
            + ".");
  }

  /**
   * Whether as many points can be read as were packed: none hidden by a delete, say. That of
   * compacted cells cannot be told, and passes.
   *
   * @param err told the figures
   */
  static boolean counted(JobFolder.Entry job, Target from, PrintWriter err) {
    if (!isPacked(job)) {
      return true;
    }
    long started = System.nanoTime();
    try {
      VerifyReport report = new JobVerification(job, from, err).counts();
      VerifyCommand.print(report, (System.nanoTime() - started) / 1e9, err);
      return report.passed();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Loaded, but cannot be counted: " + LoadRun.cause(e) + ".", e);
    }
  }

  private static boolean isPacked(JobFolder.Entry job) {
    return job.manifest().cells().equals(CellForm.PACKED.name().toLowerCase(Locale.ROOT));
  }

  /**
   * Compares the number of points in the job's cells with what the ledger says. More are fine: runs
   * that were killed have stored some behind their last checkpoint.
   */
  VerifyReport counts() throws IOException {
    long expected = job.history().counts().packed();
    Stored stored = stored();
    return new VerifyReport(
        expected,
        Math.min(expected, stored.inCells),
        Math.max(0, expected - stored.inCells),
        0,
        0,
        stored.rows,
        stored.columns,
        List.of());
  }

  /**
   * Loads the input again into a comparison.
   *
   * @param load the command that began the job
   * @throws CommandException PREFLIGHT if the input is not the one it began with
   */
  VerifyReport points(Level level, Resumable load) throws IOException, InterruptedException {
    if (!job.manifest().repeatable()) {
      throw refused(
          job.manifest(), "it has read an input that cannot be read again; --level counts can do");
    }
    CellComparison comparison =
        new CellComparison(
            from.rows(), job.history().loaders(), level == Level.FULL ? 1 : SAMPLED_ROWS);
    try (Destination comparing = Destination.comparing(from, comparison)) {
      load.repeat(job.manifest(), comparing);
    }
    return comparison.report(level == Level.FULL ? stored().points : 0);
  }

  /**
   * What the job's cells hold.
   *
   * @param points of different series or time
   * @param inCells in each cell, summed up
   */
  private record Stored(long points, long inCells, long rows, long columns) {}

  private Stored stored() throws IOException {
    AtomicLong points = new AtomicLong();
    AtomicLong inCells = new AtomicLong();
    AtomicLong rows = new AtomicLong();
    AtomicLong columns = new AtomicLong();
    RowPoints reader = new RowPoints();
    try (Progress progress =
        new Progress(
            err, () -> "verify    " + Figures.count(points.get()) + " points counted so far")) {
      new LoaderColumns(from.cluster().connection(), from.layout().dataTable())
          .scan(
              job.history().loaders(),
              row -> {
                try {
                  for (StoredColumn column : row.columns()) {
                    inCells.addAndGet(PackedCellHeader.parse(column.value()).count());
                  }
                  points.addAndGet(reader.of(row).count());
                } catch (MalformedCellException e) {
                  throw new IOException(e.getMessage(), e);
                }
                rows.incrementAndGet();
                columns.addAndGet(row.columns().size());
              });
    }
    return new Stored(points.get(), inCells.get(), rows.get(), columns.get());
  }
}
