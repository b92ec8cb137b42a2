package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.source.text.Rejects;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The job that a load is a run of.
 *
 * @param job closed with this object
 * @param metricsPort where Prometheus is answered, if anywhere
 * @param resumeCommand what a user types to go on with it
 */
record LoadJob(Job job, Duration checkpointInterval, OptionalInt metricsPort, String resumeCommand)
    implements Closeable {
  /**
   * Begins a job.
   *
   * @param command being executed
   * @param inputs files it will read, in this order
   * @param settings files that say how
   * @param repeatable whether its input can be read again
   */
  static LoadJob begin(
      CommandSpec command,
      Target to,
      TargetOptions target,
      LoadOptions load,
      List<JobInput> inputs,
      List<JobInput> settings,
      boolean repeatable)
      throws JobException, IOException {
    Instant now = Instant.now();
    String id = load.job().id(now);
    Optional<URI> stage = load.stage();
    if (stage.isPresent()
        && HFileCompletion.ofStage(to, stage.get(), command.commandLine().getErr())
            .files()
            .isTaken()) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          "Nothing was loaded: --stage "
              + stage.get()
              + " is there already, name a new directory.");
    }
    Manifest manifest =
        new Manifest(
            Manifest.VERSION,
            id,
            load.job().shard().number(),
            load.job().shard().count(),
            now.toString(),
            BuildVersion.text(),
            command.root().commandLine().getParseResult().originalArgs(),
            workingFolder(),
            storeOf(to),
            load.form().name().toLowerCase(Locale.ROOT),
            load.sink().name().toLowerCase(Locale.ROOT),
            load.threads(),
            inputs,
            settings,
            repeatable);
    PrintWriter err = command.commandLine().getErr();
    to.uidRoom().warn(err);
    Job job;
    try {
      job = target.jobs().create(manifest);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          "Nothing was loaded: "
              + target.jobs().path()
              + " cannot take a job: "
              + LoadRun.cause(e)
              + ".",
          e);
    }
    return of(job, target, load, err);
  }

  /**
   * Goes on with a job.
   *
   * @param inputs files as they are now
   * @param settings likewise
   * @throws CommandException PREFLIGHT if the inputs or the store are not those it began with
   */
  static LoadJob resume(
      Job job,
      Target to,
      TargetOptions target,
      LoadOptions load,
      List<JobInput> inputs,
      List<JobInput> settings,
      CommandSpec command)
      throws JobException, IOException {
    Manifest manifest = job.manifest();
    Optional<String> why =
        otherStore(manifest, to).or(() -> otherInputs(manifest, inputs, settings));
    if (why.isPresent()) {
      throw refused(manifest, why.get());
    }
    PrintWriter err = command.commandLine().getErr();
    Optional<URI> stage = load.stage();
    if (stage.isPresent() && job.history().state() == JobState.OPEN) {
      removeOwn(HFileCompletion.ofStage(to, stage.get(), err), manifest);
    }
    return of(job, target, load, err);
  }

  /** Why a store is not the one that a job was made for, if it is not. */
  static Optional<String> otherStore(Manifest manifest, Target to) {
    return manifest.store().equals(storeOf(to))
        ? Optional.empty()
        : Optional.of("it was made for the store " + manifest.store() + ", this is " + storeOf(to));
  }

  /**
   * Why files are not those that a job began with, if they are not.
   *
   * @param inputs as they are now
   * @param settings likewise
   */
  static Optional<String> otherInputs(
      Manifest manifest, List<JobInput> inputs, List<JobInput> settings) {
    return manifest.inputs().size() == inputs.size()
        ? changed(manifest.inputs(), inputs).or(() -> changed(manifest.settings(), settings))
        : Optional.of(
            "it has " + manifest.inputs().size() + " input files, there are now " + inputs.size());
  }

  private static Optional<String> changed(List<JobInput> then, List<JobInput> now) {
    for (int i = 0; i < then.size(); i++) {
      if (!then.get(i).sameContent(now.get(i))) {
        return Optional.of(now.get(i).name() + " has changed since the job began");
      }
    }
    return Optional.empty();
  }

  /** What the job had staged when it died before its ledger said so is written once more. */
  private static void removeOwn(HFileCompletion stage, Manifest manifest)
      throws JobException, IOException {
    if (stage.files().isTaken()) {
      if (!stage.files().exist() || !stage.written().manifest().equals(manifest)) {
        throw refused(manifest, stage.files() + " is there already and is not the job's");
      }
      stage.files().delete();
    }
  }

  private static LoadJob of(Job job, TargetOptions target, LoadOptions load, PrintWriter err) {
    Manifest manifest = job.manifest();
    String shard = manifest.part().isWhole() ? "" : " --shard " + manifest.part();
    err.println("job       " + manifest.id() + shard + " in " + job.folder());
    return new LoadJob(
        job,
        load.checkpointInterval(),
        load.metricsPort(),
        "packhorse job resume " + manifest.id() + shard + target.asArguments());
  }

  private static CommandException refused(Manifest manifest, String why) {
    return new CommandException(
        ExitCode.PREFLIGHT, "Job " + manifest.id() + " cannot be resumed: " + why + ".");
  }

  /** The folder that relative names on the command line start from. */
  static String workingFolder() {
    return Path.of("").toAbsolutePath().toString();
  }

  /** What must be the same for the rows of a resumed job to be those of the job. */
  static String storeOf(Target to) {
    var keys = to.layout().rowKeys();
    return String.format(
        Locale.ROOT,
        "%s, salt %d x %d, UID widths %d/%d/%d",
        to.layout().dataTable(),
        keys.salt().width(),
        keys.salt().buckets(),
        keys.widths().metric(),
        keys.widths().tagk(),
        keys.widths().tagv());
  }

  /** Whether all HFiles are written, and were kept to be handed over. */
  boolean isWritten() {
    return job.history().state() == JobState.WRITTEN;
  }

  /** The whole load as it is once the HFiles that were written are handed over. */
  LoadOutcome outcomeOfWritten() {
    LoadCounts written = job.history().counts();
    LoadCounts loaded =
        new LoadCounts(
            written.read(),
            written.packed(),
            written.replaced(),
            written.packed(),
            written.cells(),
            written.cellBytes(),
            written.valueBytes());
    long rejected = job.history().rejected().values().stream().mapToLong(Long::longValue).sum();
    return new LoadOutcome(loaded, written.packed(), rejected, 1, 0);
  }

  /** What to do after this run has ended early. */
  String goOn() {
    return job.manifest().repeatable()
        ? "go on with: " + resumeCommand
        : "standard input cannot be read again: remove them with "
            + resumeCommand.replace(" resume ", " rollback ")
            + ", or load everything again, points that are there already count once.";
  }

  /** Lines rejected in all runs of the job, by reason. */
  Map<String, Long> rejected(Rejects ofThisRun) {
    Map<String, Long> all = new LinkedHashMap<>(job.rejectedBefore());
    ofThisRun.byReason().forEach((reason, lines) -> all.merge(reason.toString(), lines, Long::sum));
    return all;
  }

  /** Says how to go on with HFiles that stay in a stage. */
  static void sayStage(Optional<URI> stage, PrintWriter err) {
    stage.ifPresent(
        folder ->
            err.println(
                "staged    nothing is in the store yet; hand it over with: packhorse hfile complete "
                    + folder));
  }

  /** What a load has done, in a word; nothing is stored of HFiles that stay in a stage. */
  static String done(Optional<URI> stage) {
    return stage.isEmpty() ? "loaded" : "written";
  }

  /**
   * Keeps the result, and says on the ledger that everything is stored, unless it stays in a stage.
   *
   * @throws CommandException CLUSTER if the job's folder cannot be written
   */
  void finish(
      LoadOutcome outcome,
      Map<String, Long> rejected,
      Map<String, Object> result,
      Optional<URI> stage) {
    stage.ifPresent(folder -> result.put("stage", folder.toString()));
    try {
      job.writeResult(result);
      if (stage.isEmpty()) {
        job.reach(JobState.LOADED, outcome.counts(), rejected);
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          "All is " + done(stage) + ", but not on record: " + LoadRun.cause(e) + "; " + goOn(),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    job.close();
  }
}
