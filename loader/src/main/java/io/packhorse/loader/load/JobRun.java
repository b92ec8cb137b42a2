package io.packhorse.loader.load;

import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run of a job: the first, or one that resumes it.
 *
 * @param job closed with this object
 * @param first whether the job begins with it
 * @param resumeCommand what a user types to resume it
 */
record JobRun(Job job, boolean first, String resumeCommand) implements Closeable {
  /**
   * Begins a job.
   *
   * @param inputs files it will read, in this order
   * @param repeatable whether all of its input can be read again
   * @throws OperationException REFUSED if the stage exists, or the job cannot be recorded
   */
  static JobRun begin(
      LoadRequest request,
      List<JobInput> inputs,
      boolean repeatable,
      StoreConnection to,
      StoreAddress store,
      Announcer announcer)
      throws JobException, IOException {
    Optional<URI> stage = request.settings().stage();
    if (stage.isPresent()
        && StagedBulkLoad.ofStage(to, stage.get(), announcer).files().folderExists()) {
      throw new OperationException(
          Kind.REFUSED,
          "Nothing was loaded: --stage " + stage.get() + " exists already, name a new directory.");
    }
    warnOfUids(to, announcer);
    Job job = create(request, inputs, repeatable, to.fingerprint(), store);
    return of(job, true, store, announcer);
  }

  /**
   * Begins the job of a receiver, whose store need not be reached before the job is resumed.
   *
   * @throws OperationException REFUSED if the job cannot be recorded
   */
  static Job beginAhead(LoadRequest request, StoreAddress store) throws JobException {
    return create(request, List.of(), true, "", store);
  }

  private static Job create(
      LoadRequest request,
      List<JobInput> inputs,
      boolean repeatable,
      String fingerprint,
      StoreAddress store)
      throws JobException {
    Manifest manifest =
        new Manifest(
            Manifest.VERSION,
            request.jobId(),
            request.shard().number(),
            request.shard().count(),
            Instant.now().toString(),
            BuildVersion.text(),
            request.command(),
            fingerprint,
            request.settings(),
            inputs,
            repeatable);
    try {
      return store.jobs().create(manifest);
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED,
          "Nothing was stored: the job cannot be recorded in "
              + store.jobs().path()
              + ": "
              + Causes.sentence(e)
              + ".",
          e);
    }
  }

  private static void warnOfUids(StoreConnection to, Announcer announcer) throws IOException {
    to.uidCapacity().findings().stream()
        .filter(finding -> finding.verdict() == Verdict.WARN)
        .forEach(finding -> announcer.say("WARNING", finding.sentence()));
  }

  /**
   * Resumes a job.
   *
   * @param job becomes this object's
   * @throws OperationException REFUSED if its files or the store are not those it began with
   */
  static JobRun resume(Job job, StoreConnection to, StoreAddress store, Announcer announcer)
      throws JobException, IOException {
    Manifest manifest = job.manifest();
    Optional<String> refusal = to.differsFrom(manifest.store());
    boolean staged = job.history().state() == JobState.STAGED;
    if (refusal.isEmpty() && !staged) {
      refusal = JobFiles.change(manifest);
    }
    if (refusal.isPresent()) {
      throw notResumed(manifest, refusal.get());
    }
    Optional<String> damage = staged ? Optional.empty() : job.damage();
    if (damage.isPresent()) {
      throw notResumed(
          manifest,
          damage.get()
              + "; delete what it has stored with packhorse job rollback "
              + manifest.id()
              + store.options()
              + ", and load its input again");
    }
    Optional<URI> stage = manifest.settings().stage();
    if (stage.isPresent() && !staged) {
      removeUnrecorded(StagedBulkLoad.ofStage(to, stage.get(), announcer), manifest);
    }
    if (manifest.store().isEmpty()) {
      warnOfUids(to, announcer);
      job.settle(to.fingerprint());
    }
    return of(job, false, store, announcer);
  }

  /**
   * Refuses a job that is finished, or that has read an input that cannot be read again.
   *
   * @throws OperationException REFUSED
   */
  static void checkResumable(Job job) {
    JobState state = job.history().state();
    if (state.isFinal()) {
      throw notResumed(job.manifest(), "it is " + state);
    }
    if (!job.manifest().repeatable() && state != JobState.STAGED) {
      throw notResumed(job.manifest(), "it has read an input that cannot be read again");
    }
  }

  /** A stage that was complete when the process died, before the ledger said so, is made again. */
  private static void removeUnrecorded(StagedBulkLoad stage, Manifest manifest)
      throws JobException, IOException {
    if (stage.files().folderExists()) {
      if (!stage.files().exist() || !stage.description().manifest().equals(manifest)) {
        throw notResumed(manifest, stage.files() + " exists already and is not the job's");
      }
      stage.files().delete();
    }
  }

  private static JobRun of(Job job, boolean first, StoreAddress store, Announcer announcer) {
    Manifest manifest = job.manifest();
    String shard = manifest.part().isWhole() ? "" : " --shard " + manifest.part();
    announcer.say("job", manifest.id() + shard + " in " + job.folder());
    return new JobRun(
        job, first, "packhorse job resume " + manifest.id() + shard + store.options());
  }

  static OperationException notResumed(Manifest manifest, String why) {
    return new OperationException(
        Kind.REFUSED, "Job " + manifest.id() + " cannot be resumed: " + why + ".");
  }

  /**
   * What to do after this run has ended early.
   *
   * @param options of the command that resumes it, each after a space
   */
  String resumeHint(String options) {
    return job.manifest().repeatable()
        ? "resume with: " + resumeCommand + options
        : "standard input cannot be read again: delete them with "
            + resumeCommand.replace(" resume ", " rollback ")
            + ", or load everything again, points that are there already count once.";
  }

  /** As {@link #resumeHint(String)}, with the settings that it has. */
  String resumeHint() {
    return resumeHint("");
  }

  /**
   * Whether a run that ends so leaves no job: nothing was stored, and to resume it would be to
   * begin anew. A user who interrupts it, or sets it a limit, finds the job again.
   */
  boolean isForgottenAfter(Kind kind) {
    return first
        && job.isBlank()
        && kind != Kind.INTERRUPTED
        && kind != Kind.TOO_MANY_REJECTS
        && kind != Kind.TOO_MANY_REPLACED;
  }

  /** The outcome of the whole load, once the HFiles that an earlier run staged are bulk-loaded. */
  LoadOutcome outcomeOfStaged() {
    long rejected = job.history().rejected().values().stream().mapToLong(Long::longValue).sum();
    return new LoadOutcome(
        job.history().counts().fullyAcknowledged(),
        Replaced.NONE,
        job.history().counts().packed(),
        rejected,
        PointTimes.of(job.lastTimes()),
        1,
        0);
  }

  /**
   * Keeps the result, and records on the ledger that everything is stored, unless it stays staged.
   *
   * @throws OperationException CLUSTER if the job's folder cannot be written
   */
  void finish(LoadResult result) {
    try {
      job.writeResult(result.json());
      if (result.stage().isEmpty()) {
        job.reach(JobState.LOADED, result.outcome().counts(), result.rejectsByReason());
      }
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "All is "
              + (result.stage().isEmpty() ? "loaded" : "staged")
              + ", but the job's ledger does not say so: "
              + Causes.sentence(e)
              + "; "
              + resumeHint(),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    job.close();
  }
}
