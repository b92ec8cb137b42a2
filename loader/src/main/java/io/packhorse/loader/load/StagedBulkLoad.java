package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.job.StagedJob;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.loader.sink.hfile.StagedHFiles;
import io.packhorse.loader.summary.LoaderClaim;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Bulk-loads the HFiles that a job has staged. Running it again after a failure at any step is
 * harmless. Their folder stays until the ledger says that all is loaded: a missing folder would not
 * prove that.
 *
 * @param files of the job
 * @param to stays the caller's
 */
public record StagedBulkLoad(StagedHFiles files, StoreConnection to, Announcer announcer) {
  private static final int PROBLEMS_SHOWN = 10;

  /**
   * Files in a directory.
   *
   * @throws OperationException REFUSED if its file system cannot be reached
   */
  public static StagedBulkLoad ofStage(StoreConnection to, URI stage, Announcer announcer) {
    try {
      StagedHFiles files =
          StagedHFiles.in(to.cluster().connection(), target(to, CellForm.PACKED), stage);
      // The first question shows whether the file system answers.
      files.folderExists();
      return new StagedBulkLoad(files, to, announcer);
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Cannot read " + stage + ": " + Causes.sentence(e) + ".", e);
    }
  }

  /** Files that a job has staged: in the directory it was given, or beside the table. */
  static StagedBulkLoad ofJob(StoreConnection to, Manifest manifest, Announcer announcer)
      throws IOException {
    Optional<URI> stage = manifest.settings().stage();
    if (stage.isPresent()) {
      return ofStage(to, stage.get(), announcer);
    }
    StagedHFiles files =
        StagedHFiles.named(
            to.cluster().connection(), target(to, manifest.settings().cells()), folderOf(manifest));
    return new StagedBulkLoad(files, to, announcer);
  }

  private static HFileTarget target(StoreConnection to, CellForm form) {
    return HFileDestination.target(to, form, Optional.empty(), 1, false);
  }

  /** Name of the folder of a job's files among those of other loads. */
  static String folderOf(Manifest manifest) {
    JobShard part = manifest.part();
    return "staged_"
        + manifest.id()
        + (part.isWhole() ? "" : "_" + part.number() + "-of-" + part.count());
  }

  /** Tells whether the series of a job have the same TSUIDs as elsewhere. */
  static String digest(int series, IntFunction<Tsuid> tsuids) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int id = 0; id < series; id++) {
        digest.update(tsuids.apply(id).toBytes());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Bulk-loads files that were staged elsewhere, and records their job in a folder of jobs here. If
   * they were loaded before, only what is left of the files is removed.
   *
   * @param command what a user types to try again
   * @return the job as it is now
   * @throws OperationException REFUSED if they cannot be loaded into this store
   */
  public JobFolder.Entry adopt(JobFolder jobs, String command) throws JobException, IOException {
    if (!files.exist()) {
      throw missing();
    }
    StagedJob staged = description();
    Optional<String> otherStore = to.differsFrom(staged.manifest().store());
    if (otherStore.isPresent()) {
      throw refused(files + " cannot be loaded here: " + otherStore.get());
    }
    try (Job job = jobs.adopt(staged, files::fetch)) {
      JobState state = job.history().state();
      if (state == JobState.ROLLED_BACK) {
        throw refused("job " + job.manifest().id() + " is " + state);
      }
      if (state != JobState.LOADED) {
        JobRun run = new JobRun(job, false, command);
        run(run, staged.seriesMeta());
        run.finish(
            new LoadResult(
                run.outcomeOfStaged(),
                false,
                InputFindings.NONE,
                0,
                job.history().rejected(),
                Optional.empty(),
                List.of(),
                Optional.of(job.manifest().id()),
                Optional.empty()));
      }
      removeFiles();
    }
    return jobs.look(staged.manifest().id(), staged.manifest().part());
  }

  /** The description of the job that lies beside the files. */
  StagedJob description() throws JobException, IOException {
    Path copy = Files.createTempFile("packhorse-", ".json");
    try {
      files.fetch(StagedJob.FILE, copy);
      return StagedJob.read(Files.readAllBytes(copy));
    } finally {
      Files.delete(copy);
    }
  }

  /**
   * Bulk-loads what HBase does not have yet, and writes the series to {@code tsdb-meta}.
   *
   * @param run of the job that has staged them
   * @param seriesMeta whether its series are written
   * @throws OperationException REFUSED if a file or a name is not as it was when it was staged, and
   *     nothing was loaded; CLUSTER if not all could be loaded
   */
  void run(JobRun run, boolean seriesMeta) throws JobException {
    Manifest manifest = run.job().manifest();
    try {
      SeriesNames names = new SeriesNames();
      LastTimes times = run.job().takeSeries(names);
      SeriesResolver resolver = new SeriesResolver(to.knownUids(), to.layout().rowKeys().widths());
      resolver.resolveAll(names);
      if (!files.exist()) {
        throw missing();
      }
      check(manifest, digest(names.size(), resolver::tsuid));
      if (manifest.settings().cells() == CellForm.PACKED) {
        SummarisedCells.begin(to, to.seriesIndex().hasNoCell());
        to.indexed(resolver, Optional.empty(), Runnable::run).record();
        claim(run.job(), names, resolver, times, Reason.WRITING);
      }
      bulkLoad(folderOf(manifest));
      if (manifest.settings().cells() == CellForm.PACKED) {
        claim(run.job(), names, resolver, times, Reason.NOT_SUMMARISED);
        SummarisedCells.build(to, run.job().loaders(), announcer);
      }
      if (seriesMeta) {
        new SeriesMetaWriter(to).put(names, resolver, times);
      }
    } catch (KnownUids.NoUidException e) {
      throw refused(e.getMessage() + ": the files were not written for this store");
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Not all HFiles were bulk-loaded: " + Causes.sentence(e) + "; " + run.resumeHint(),
          e);
    }
  }

  /** Has queries read the hours of a job from its cells, and not from summaries. */
  private void claim(
      Job job, SeriesNames names, SeriesResolver resolver, LastTimes times, Reason reason)
      throws IOException {
    HBaseClaims claims = to.claims();
    for (LoaderId loader : job.loaders()) {
      claims.put(loader.id(), claim(loader, names, resolver, times, reason));
    }
  }

  private SummaryClaim claim(
      LoaderId loader, SeriesNames names, SeriesResolver resolver, LastTimes times, Reason reason) {
    if (names.size() == 0 || times.firstOfAll() == LastTimes.NONE) {
      return SummaryClaim.ofAll(reason);
    }
    long first = BaseTime.ofMillis(times.firstOfAll());
    long last = BaseTime.ofMillis(times.lastOfAll());
    LoaderClaim claim = new LoaderClaim(loader, to.layout().rowKeys().widths());
    for (int series = 0; series < names.size(); series++) {
      claim.cover(resolver.metricUid(series), first);
      claim.cover(resolver.metricUid(series), last);
    }
    return claim.claim(reason);
  }

  private void check(Manifest manifest, String tsuids) throws JobException, IOException {
    StagedJob staged = description();
    if (!staged.manifest().equals(manifest)) {
      throw refused(files + " is not of job " + manifest.id());
    }
    if (!staged.tsuids().equals(tsuids)) {
      throw refused("the names of its series have other UIDs than those in " + files);
    }
    List<String> problems = files.problems();
    if (!problems.isEmpty()) {
      problems.stream().limit(PROBLEMS_SHOWN).forEach(problem -> announcer.say("hfiles", problem));
      throw refused(
          problems.size() + " of the files in " + files + " are not as they were written");
    }
  }

  private OperationException missing() {
    return refused(files + " does not exist, or holds no complete set of HFiles");
  }

  private static OperationException refused(String why) {
    return new OperationException(Kind.REFUSED, "Nothing was bulk-loaded: " + why + ".");
  }

  private void bulkLoad(String name) throws IOException {
    boolean inPlace = files.onTableFileSystem();
    if (!inPlace) {
      announcer.say("hfiles", "copying " + files + " to the table's file system");
    }
    StagedHFiles there = inPlace ? files : files.copyToTable(name);
    int toSplit = there.filesToSplit();
    if (toSplit > 0) {
      announcer.say("hfiles", toSplit + " span regions that have changed since: HBase splits them");
    }
    there.bulkLoad();
    if (!inPlace) {
      there.delete();
    }
  }

  /** Removes a stage whose files HBase has taken; one that was copied stays the user's. */
  void removeFiles() throws IOException {
    if (files.onTableFileSystem()) {
      files.delete();
    } else {
      announcer.say("hfiles", files + " was copied and is not needed any more");
    }
  }
}
