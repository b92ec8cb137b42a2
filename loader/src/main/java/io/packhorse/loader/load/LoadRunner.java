package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobShards;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.RejectsFileException;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs loads: begins a job and runs it, or resumes one.
 *
 * @param store that points are loaded into
 * @param announcer told what happens meanwhile
 */
public record LoadRunner(StoreAddress store, Announcer announcer) {
  /** How long a load that is interrupted may take to end. */
  public static final int DRAIN_SECONDS = LoadRun.DRAIN_SECONDS;

  /** File of rejected lines, in the job's folder or, if there is no job, the working folder. */
  public static final String REJECTS_FILE = "rejects.tsv";

  /**
   * Begins a load and runs it to its end.
   *
   * @throws OperationException of any kind; the message says how many points are safe and how to
   *     resume
   */
  public LoadResult run(LoadRequest request)
      throws JobException, StoreException, IOException, InterruptedException {
    LoadSettings settings = request.settings();
    if (settings.output() instanceof LoadOutput.Nowhere) {
      return pack(request);
    }
    store.checkOutput(settings.output());
    try (StoreConnection to =
            store
                .openToLoad(announcer, settings.cells(), settings.seriesMeta())
                .withNewNames(request.newNamesMax());
        JobRun run = begin(request, to)) {
      Kind ended = Kind.INTERNAL;
      boolean done = false;
      try {
        LoadResult result = runJob(to, run, settings, request.inputs());
        done = true;
        return result;
      } catch (OperationException e) {
        ended = e.kind();
        throw e;
      } finally {
        if (!done && run.isForgottenAfter(ended)) {
          run.job().remove();
        }
      }
    }
  }

  /** Begins a job; if it cannot, nothing is left of it. */
  JobRun begin(LoadRequest request, StoreConnection to) throws JobException {
    LoadSettings settings = request.settings();
    try {
      List<JobInput> files = JobFiles.of(request.inputs().all());
      boolean repeatable = files.size() == request.inputs().all().size();
      Set<String> ignored = new HashSet<>(Set.of(request.jobId()));
      Optional.ofNullable(settings.replaces()).ifPresent(ignored::add);
      if (!request.duplicates()) {
        new DuplicateInputCheck(store.jobs(), to.fingerprint(), settings.cells())
            .refuse(files, ignored, announcer);
      }
      return JobRun.begin(request, files, repeatable, to, store, announcer);
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Nothing was loaded: " + Causes.sentence(e) + ".", e);
    }
  }

  /**
   * Resumes a job from its last checkpoint, or bulk-loads the HFiles it has staged.
   *
   * @param job stays the caller's
   * @param rejected how many rejects end this run, instead of what the job began with; those of
   *     earlier runs count
   * @param replaced how many replaced points end it, in the same way
   * @throws OperationException as {@link #run}; REFUSED if its files or the store have changed, or
   *     a limit is given and the job reads no files
   */
  public LoadResult resume(
      Job job, Optional<RejectBudget> rejected, Optional<RejectBudget> replaced)
      throws JobException, StoreException, IOException, InterruptedException {
    JobRun.checkResumable(job);
    Manifest manifest = job.manifest();
    boolean staged = job.history().state() == JobState.STAGED;
    boolean limited = rejected.isPresent() || replaced.isPresent();
    if (limited && (staged || !(manifest.settings().input() instanceof LoadInput.Files))) {
      throw JobRun.notResumed(
          manifest,
          (rejected.isPresent() ? "--max-rejects" : "--max-replaced")
              + " is for jobs that read files, and this one "
              + (staged ? "has read all of its input" : "reads none"));
    }
    LoadSettings settings = manifest.settings().with(rejected, replaced);
    store.checkOutput(settings.output());
    sayIfTorn(job, announcer);
    try (StoreConnection to =
        store.openToLoad(announcer, settings.cells(), settings.seriesMeta())) {
      JobRun run;
      LoadInputs inputs;
      try {
        job.tidy();
        run = JobRun.resume(job, to, store, announcer);
        inputs = staged ? LoadInputs.NONE : LoadInputs.of(JobFiles.inputs(manifest));
      } catch (IOException e) {
        throw JobRun.notResumed(manifest, Causes.sentence(e));
      }
      return runJob(to, run, settings, inputs);
    }
  }

  static void sayIfTorn(Job job, Announcer announcer) {
    if (job.tornBytes() > 0) {
      announcer.say(
          "job", "cut " + job.tornBytes() + " bytes of an unfinished record off the ledger");
    }
  }

  /** Opens what a job reads. */
  interface FeedOpener {
    PointFeed open(Rejects rejects, Job job) throws IOException, InterruptedException;
  }

  /**
   * Runs a job that has begun, or been resumed, and reads what its caller opens.
   *
   * @param run stays the caller's, as does the connection
   */
  LoadResult run(StoreConnection to, JobRun run, FeedOpener feeds)
      throws JobException, InterruptedException {
    return load(to, run, run.job().manifest().settings(), feeds, Optional.empty());
  }

  /**
   * Loads generated points as Puts, not as a job: the load cannot be resumed or rolled back.
   *
   * @param to stays the caller's
   * @param report where its report goes
   */
  public static LoadOutcome runWithoutJob(
      StoreConnection to, LoadSettings settings, ReportFile report, Announcer announcer)
      throws IOException {
    LoadInput.Generated made = (LoadInput.Generated) settings.input();
    PointFeed feed =
        new GeneratedFeed(
            made.spec(), settings.threads(), settings.checkpointInterval(), Optional.empty());
    try (Destination puts =
        new PutDestination(
            to, (LoadOutput.Puts) settings.output(), settings.cells(), settings.seriesMeta())) {
      return new LoadRun(feed, puts, settings, Optional.empty(), Optional.of(report), announcer)
          .run();
    }
  }

  /** Reads and packs, and stores nothing. */
  private LoadResult pack(LoadRequest request) throws IOException, InterruptedException {
    LoadSettings settings = request.settings();
    try (Destination nowhere = new NullDestination();
        Rejects rejects = rejects(settings, Path.of(REJECTS_FILE))) {
      PointFeed feed = feed(settings, request.inputs(), rejects, Optional.empty(), announcer);
      return result(
          new LoadRun(feed, nowhere, settings, Optional.empty(), announcer).run(),
          feed,
          rejects,
          settings,
          Optional.empty());
    } catch (InputException e) {
      throw atFault(e, "make room and run it again.");
    }
  }

  private LoadResult runJob(
      StoreConnection to, JobRun run, LoadSettings settings, LoadInputs inputs)
      throws JobException, IOException, InterruptedException {
    String replaced = settings.replaces();
    if (replaced == null) {
      return load(to, run, settings, feeds(settings, inputs), Optional.empty());
    }
    try (JobShards old = JobShards.open(store.jobs(), replaced, Optional.empty())) {
      Rollback rollback = new Rollback(old, to, announcer);
      return load(to, run, settings, feeds(settings, inputs), Optional.of(rollback));
    }
  }

  private FeedOpener feeds(LoadSettings settings, LoadInputs inputs) {
    return settings.input() instanceof LoadInput.Received
        ? (rejects, job) -> LogFeed.ofRest(job, settings, rejects, true)
        : (rejects, job) -> feed(settings, inputs, rejects, Optional.of(job), announcer);
  }

  /**
   * @param rollback of the job that this one replaces, done when everything is stored and before
   *     the ledger says so
   */
  private LoadResult load(
      StoreConnection to,
      JobRun run,
      LoadSettings settings,
      FeedOpener feeds,
      Optional<Rollback> rollback)
      throws JobException, InterruptedException {
    Job job = run.job();
    try (Rejects rejects = rejects(settings, run)) {
      if (job.history().state() == JobState.STAGED) {
        return bulkLoad(to, run, rejects, rollback);
      }
      try (Destination destination = destination(to, settings)) {
        PointFeed feed = feeds.open(rejects, job);
        LoadOutcome outcome =
            new LoadRun(feed, destination, settings, Optional.of(run), announcer).run();
        return finish(run, result(outcome, feed, rejects, settings, Optional.of(job)), rollback);
      }
    } catch (InputException e) {
      throw atFault(
          e,
          run.isForgottenAfter(Kind.USAGE)
              ? "nothing was loaded, make room and run it again."
              : run.resumeHint());
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Stopped: "
              + Causes.sentence(e)
              + ". "
              + (run.isForgottenAfter(Kind.CLUSTER)
                  ? "Nothing was loaded."
                  : "What the job has stored is safe; " + run.resumeHint()),
          e);
    }
  }

  /** Bulk-loads what an earlier run has staged. */
  private LoadResult bulkLoad(
      StoreConnection to, JobRun run, Rejects rejects, Optional<Rollback> rollback)
      throws JobException, IOException {
    Job job = run.job();
    StagedBulkLoad staged = StagedBulkLoad.ofJob(to, job.manifest(), announcer);
    staged.run(run, job.manifest().settings().seriesMeta());
    LoadResult result =
        new LoadResult(
            run.outcomeOfStaged(),
            isAsked(run.outcomeOfStaged(), job.manifest().settings()),
            InputFindings.NONE,
            0,
            job.history().rejected(),
            Optional.of(rejects.file()),
            rejects.first(),
            Optional.of(job.manifest().id()),
            Optional.empty());
    finish(run, result, rollback);
    staged.removeFiles();
    return result;
  }

  private static LoadResult finish(JobRun run, LoadResult result, Optional<Rollback> rollback)
      throws IOException {
    if (rollback.isPresent()) {
      rollback.get().run();
    }
    run.finish(result);
    if (run.job().manifest().settings().input() instanceof LoadInput.Received) {
      ReceiverLog.remove(run.job());
    }
    return result;
  }

  private Destination destination(StoreConnection to, LoadSettings settings) {
    if (settings.output() instanceof LoadOutput.Puts puts) {
      return new PutDestination(to, puts, settings.cells(), settings.seriesMeta());
    }
    return new HFileDestination(
        to,
        settings.cells(),
        settings.stage(),
        settings.seriesMeta(),
        settings.threads(),
        settings.input() instanceof LoadInput.Generated,
        announcer);
  }

  /**
   * @param job that the load is a run of; empty if nothing is stored
   */
  static PointFeed feed(
      LoadSettings settings,
      LoadInputs inputs,
      Rejects rejects,
      Optional<Job> job,
      Announcer announcer)
      throws IOException, InterruptedException {
    if (settings.input() instanceof LoadInput.Generated made) {
      return new GeneratedFeed(made.spec(), settings.threads(), settings.checkpointInterval(), job);
    }
    return new FileFeed(
        inputs,
        (LoadInput.Files) settings.input(),
        rejects,
        settings.threads(),
        settings.checkpointInterval(),
        job,
        announcer);
  }

  private static LoadResult result(
      LoadOutcome outcome,
      PointFeed feed,
      Rejects rejects,
      LoadSettings settings,
      Optional<Job> job)
      throws IOException {
    // On disk before anyone is told that they are there.
    rejects.close();
    Optional<FileFeed> files =
        feed instanceof FileFeed ofFiles ? Optional.of(ofFiles) : Optional.empty();
    Optional<LogFeed> log = feed instanceof LogFeed ofLog ? Optional.of(ofLog) : Optional.empty();
    return new LoadResult(
        outcome,
        isAsked(outcome, settings),
        feed.findings(),
        files.map(FileFeed::leftOut).or(() -> log.map(LogFeed::leftOut)).orElse(0L),
        files
            .map(FileFeed::rejectedByReason)
            .or(() -> log.map(LogFeed::rejectedByReason))
            .orElse(Map.of()),
        files.isPresent() || log.isPresent() ? Optional.of(rejects.file()) : Optional.empty(),
        rejects.first(),
        job.map(on -> on.manifest().id()),
        settings.stage());
  }

  /**
   * Whether to ask why points were replaced: they are many, and nobody has said how many may be.
   */
  static boolean isAsked(LoadOutcome outcome, LoadSettings settings) {
    return settings.input() instanceof LoadInput.Files files
        && files.replaced() == null
        && Replaced.isMany(outcome.counts().replaced(), outcome.counts().read());
  }

  /** The rejects of a job, appended to those of its earlier runs. */
  Rejects rejects(LoadSettings settings, JobRun run) throws IOException {
    Optional<Path> elsewhere = rejectsFile(settings);
    if (elsewhere.isPresent()) {
      checkWritable(elsewhere.get());
    }
    Path file = run.job().rejects(elsewhere, this::announceMissingRejects);
    return Rejects.appended(file, settings.input().rejectsBytesMax());
  }

  private static Rejects rejects(LoadSettings settings, Path otherwise) {
    Path file = rejectsFile(settings).orElse(otherwise);
    checkWritable(file);
    return new Rejects(file);
  }

  private static Optional<Path> rejectsFile(LoadSettings settings) {
    return settings.input() instanceof LoadInput.Files files
        ? Optional.ofNullable(files.rejectsFile()).map(Path::of)
        : Optional.empty();
  }

  private static void checkWritable(Path rejects) {
    Path directory = rejects.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(rejects)
            ? Files.isWritable(rejects) && !Files.isDirectory(rejects)
            : directory != null && Files.isWritable(directory);
    if (!writable) {
      throw new OperationException(
          Kind.USAGE,
          "Rejected lines cannot be written to "
              + rejects
              + ": name a file with --rejects; nothing was loaded.");
    }
  }

  private void announceMissingRejects(long lines) {
    announcer.say(
        "rejects",
        "the file with the "
            + HumanNumbers.count(lines, "line", "lines")
            + " rejected earlier was removed or replaced; new ones are appended to what is"
            + " there");
  }

  /** An input, or the file of rejects, that cannot be used. */
  private static OperationException atFault(InputException e, String resumeHint) {
    return e instanceof RejectsFileException
        ? new OperationException(Kind.CLUSTER, e.getMessage() + "; " + resumeHint, e)
        : new OperationException(Kind.USAGE, e.getMessage() + ".", e);
  }

  /**
   * Loads the input of a job once more, not as a job, into a comparison with what is stored.
   *
   * @throws OperationException REFUSED if its files are not those that the job began with
   */
  static void repeat(Manifest manifest, Destination comparing, Announcer announcer)
      throws IOException, InterruptedException {
    Optional<String> change = JobFiles.change(manifest);
    if (change.isPresent()) {
      throw JobVerification.refused(manifest, change.get() + "; --level counts needs no input");
    }
    LoadSettings settings = manifest.settings().withoutLimits();
    PointFeed feed =
        feed(
            settings,
            LoadInputs.of(JobFiles.inputs(manifest)),
            Rejects.counted(),
            Optional.empty(),
            announcer);
    new LoadRun(feed, comparing, settings, Optional.empty(), announcer).run();
  }
}
