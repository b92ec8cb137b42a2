package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.Repack;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code job resume}: continues a load from its last checkpoint. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Resume a job that was interrupted or killed, from its last checkpoint.",
      "The settings are those it began with, from any working folder; its files must not have"
          + " changed. At the end the stored points are counted.",
      "Of a repack that was verified, the old columns are deleted; one that was interrupted before is"
          + " completed.",
      "Of a job of several loaders, every shard that is neither finished nor running is resumed,"
          + " one after the other; --shard names one.",
    })
final class JobResumeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--max-rejects",
      paramLabel = "N|N%",
      converter = RejectBudgetConverter.class,
      description =
          "Another limit of rejected lines than the job began with, for this run; the lines that"
              + " were rejected before count. 100%% is no limit.")
  private @Nullable RejectBudget budget;

  @Option(
      names = "--max-replaced",
      paramLabel = "N|N%",
      converter = RejectBudgetConverter.class,
      description = "Another limit of replaced points, in the same way.")
  private @Nullable RejectBudget maxReplaced;

  @Mixin private final ShardOption shard = new ShardOption();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  /** A shard that was resumed, and how what became of it is printed. */
  private record Resumed(
      ExitCode ended, Map<String, Object> json, Runnable printer, Runnable warner) {}

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    JobFolder jobs = target.address().jobs();
    List<JobFolder.Entry> shards = jobs.shards(id, shard.shard());
    List<Resumed> all = resume(jobs, shards);
    ExitCode ended = worst(all);
    json.print(
        command,
        ended,
        Map.of("job", id),
        shards.size() == 1
            ? all.get(0).json()
            : Map.of("shards", all.stream().map(Resumed::json).toList()),
        () -> all.forEach(each -> each.printer().run()));
    all.forEach(each -> each.warner().run());
    return ended.code();
  }

  private ExitCode worst(List<Resumed> all) {
    return all.stream()
        .map(Resumed::ended)
        .max(Comparator.naturalOrder())
        .orElseThrow(
            () ->
                new OperationException(
                    Kind.REFUSED, "Every shard of job " + id + " is running or finished."));
  }

  private List<Resumed> resume(JobFolder jobs, List<JobFolder.Entry> shards)
      throws JobException, StoreException, IOException, InterruptedException {
    boolean repack = shards.get(0).manifest().settings().input() instanceof LoadInput.Stored;
    if (repack && (budget != null || maxReplaced != null)) {
      throw new OperationException(
          Kind.USAGE, "--max-rejects and --max-replaced are for jobs that read files.");
    }
    List<Resumed> all = new ArrayList<>();
    for (JobFolder.Entry each : shards) {
      if (shards.size() == 1 || isToResume(jobs, each)) {
        JobShard part = each.manifest().part();
        all.add(repack ? repack(jobs, part) : load(jobs, part));
      }
    }
    return all;
  }

  private boolean isToResume(JobFolder jobs, JobFolder.Entry shard) throws IOException {
    boolean running = jobs.isHeld(shard.manifest());
    JobState state = shard.history().state();
    if (running || state.isFinal()) {
      ConsoleAnnouncer.of(command)
          .say("job", "shard " + shard.manifest().part() + " is " + (running ? "running" : state));
    }
    return !running && !state.isFinal();
  }

  private Resumed repack(JobFolder jobs, JobShard part)
      throws JobException, StoreException, IOException, InterruptedException {
    long started = System.nanoTime();
    try (Job job = jobs.open(id, part)) {
      Repack.Result result = new Repack(target.address(), ConsoleAnnouncer.of(command)).resume(job);
      RepackPrinter printer =
          new RepackPrinter(
              result,
              (System.nanoTime() - started) / 1e9,
              target.address().options(),
              command.commandLine());
      return new Resumed(RepackPrinter.exitCode(result), printer.json(), printer::print, () -> {});
    }
  }

  private Resumed load(JobFolder jobs, JobShard part)
      throws JobException, StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    StoreAddress store = target.address();
    LoadResult result = load(jobs, part, store, announcer);
    VerifyPrinter.Count counted =
        result.stage().isEmpty()
            ? count(jobs, part, store, announcer)
            : new VerifyPrinter.Count(Optional.empty(), 0);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("shard", part.toString());
    json.putAll(result.json());
    counted.putInto(json);
    CommandLine to = command.commandLine();
    return new Resumed(
        counted.or(ExitCode.of(result)),
        json,
        () -> LoadPrinter.print(result, to.getOut()),
        () -> {
          LoadPrinter.warn(result, to.getErr());
          counted.print(to.getErr());
        });
  }

  private LoadResult load(
      JobFolder jobs, JobShard part, StoreAddress store, ConsoleAnnouncer announcer)
      throws JobException, StoreException, IOException, InterruptedException {
    try (Job job = jobs.open(id, part)) {
      return new LoadRunner(store, announcer)
          .resume(job, Optional.ofNullable(budget), Optional.ofNullable(maxReplaced));
    }
  }

  private VerifyPrinter.Count count(
      JobFolder jobs, JobShard part, StoreAddress store, ConsoleAnnouncer announcer)
      throws JobException, StoreException, IOException, InterruptedException {
    try (StoreConnection from = store.open(announcer)) {
      return VerifyPrinter.count(jobs.look(id, part), from, announcer);
    }
  }
}
