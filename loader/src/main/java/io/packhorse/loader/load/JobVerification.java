package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.verify.CellComparison;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads back what a job has stored, or one shard of it: its own cells alone.
 *
 * @param job loaded
 * @param from the store
 */
public record JobVerification(JobFolder.Entry job, StoreConnection from, Announcer announcer) {
  private static final int SAMPLED_ROWS = 16;

  /** How much is checked. */
  public enum Level {
    /** The number of points stored, against the ledger. */
    COUNTS,
    /** As FULL, for one row in sixteen. */
    SAMPLE,
    /** Every point, against the input, which is read or generated again. */
    FULL
  }

  /**
   * @throws OperationException REFUSED if such a job cannot be verified
   */
  public JobVerification {
    Manifest manifest = job.manifest();
    JobState state = job.history().state();
    boolean stored =
        state == JobState.LOADED || state == JobState.VERIFIED || state == JobState.REPACKED;
    if (!stored) {
      throw refused(manifest, "it is " + state);
    }
    if (manifest.settings().cells() != CellForm.PACKED) {
      throw refused(manifest, "its compacted cells do not say who wrote them");
    }
    Optional<String> otherStore = from.differsFrom(manifest.store());
    if (otherStore.isPresent()) {
      throw refused(manifest, otherStore.get());
    }
  }

  /**
   * Verifies all shards of a job.
   *
   * @throws OperationException REFUSED if it cannot be verified, CLUSTER if the store cannot be
   *     read
   */
  public static VerifyReport ofJob(StoreAddress store, String id, Level level, Announcer announcer)
      throws JobException, StoreException, IOException, InterruptedException {
    List<JobFolder.Entry> shards = store.jobs().shards(id, Optional.empty());
    int wanted = shards.get(0).manifest().part().count();
    if (shards.size() < wanted) {
      throw new OperationException(
          Kind.REFUSED,
          "Job "
              + id
              + " cannot be verified: "
              + shards.size()
              + " of "
              + wanted
              + " shards have begun.");
    }
    try (StoreConnection from = store.open(announcer)) {
      List<JobVerification> verifications =
          shards.stream().map(shard -> new JobVerification(shard, from, announcer)).toList();
      VerifyReport all = VerifyReport.NOTHING;
      for (JobVerification verification : verifications) {
        VerifyReport found =
            level == Level.COUNTS ? verification.counts() : verification.points(level);
        verification.note(found, level);
        all = all.plus(found);
      }
      return all;
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER, "Cannot read the store: " + Causes.sentence(e) + ".", e);
    }
  }

  /**
   * Counts the stored points of a job that was loaded just now: fewer than packed means that a
   * delete hides some.
   *
   * @return empty for compacted cells, which do not say who wrote them
   */
  public static Optional<VerifyReport> countsOf(
      JobFolder.Entry job, StoreConnection from, Announcer announcer) {
    if (job.manifest().settings().cells() != CellForm.PACKED) {
      return Optional.empty();
    }
    try {
      JobVerification verification = new JobVerification(job, from, announcer);
      VerifyReport found = verification.counts();
      verification.note(found, Level.COUNTS);
      return Optional.of(found);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER, "Loaded, but cannot be counted: " + Causes.sentence(e) + ".", e);
    }
  }

  /** Adds what was found to the job's report. */
  private void note(VerifyReport found, Level level) {
    try {
      ReportFile.of(job.folder(), job.manifest())
          .addVerification(
              found,
              switch (level) {
                case COUNTS -> "the number of points";
                case SAMPLE -> "every point of one row in " + SAMPLED_ROWS;
                case FULL -> "every point";
              });
    } catch (IOException e) {
      announcer.say("report", "does not say that it was verified: " + Causes.sentence(e));
    }
  }

  static OperationException refused(Manifest manifest, String why) {
    JobShard part = manifest.part();
    return new OperationException(
        Kind.REFUSED,
        "Job "
            + manifest.id()
            + (part.isWhole() ? "" : ", shard " + part + ",")
            + " cannot be verified: "
            + why
            + ".");
  }

  /**
   * Compares the number of points in the job's cells with what the ledger says. Points that a run
   * stored behind its last checkpoint, and the next one again, count once.
   */
  private VerifyReport counts() throws IOException {
    long expected = job.history().counts().packed();
    StoredPoints stored = stored();
    return new VerifyReport(
        expected,
        Math.min(expected, stored.points()),
        Math.max(0, expected - stored.points()),
        0,
        Math.max(0, stored.points() - expected),
        stored.rows(),
        stored.columns(),
        List.of());
  }

  /** Loads the input again into a comparison. */
  private VerifyReport points(Level level) throws IOException, InterruptedException {
    if (job.manifest().settings().input() instanceof LoadInput.Received) {
      throw refused(
          job.manifest(),
          "its points are not in the log any more once they are stored; use --level counts");
    }
    if (job.manifest().settings().input() instanceof LoadInput.Stored) {
      throw refused(
          job.manifest(),
          "its points were compared with the old columns before these were deleted; use --level"
              + " counts");
    }
    if (!job.manifest().repeatable()) {
      throw refused(
          job.manifest(), "it has read an input that cannot be read again; use --level counts");
    }
    CellComparison comparison =
        new CellComparison(
            from.rows(), job.history().loaders(), level == Level.FULL ? 1 : SAMPLED_ROWS);
    try (Destination comparing = new ComparisonDestination(from, comparison)) {
      LoadRunner.repeat(job.manifest(), comparing, announcer);
    }
    return level == Level.FULL
        ? comparison.report(job.history().counts().packed(), stored().points())
        : comparison.report();
  }

  private StoredPoints stored() throws IOException {
    return StoredPoints.of(from, job.history().loaders(), announcer);
  }
}
