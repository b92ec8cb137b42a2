package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      "Of a job of several loaders, every shard that is neither finished nor running is resumed, one"
          + " after the other; --shard names one.",
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
          "Another limit of rejected lines than the job began with, for this run; the lines that were"
              + " rejected before count. 100%% is no limit.")
  private @Nullable RejectBudget budget;

  @Mixin private final ShardOption shard = new ShardOption();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    JobFolder jobs = target.address().jobs();
    List<JobFolder.Entry> shards = jobs.shards(id, shard.shard());
    if (shards.size() == 1) {
      return resume(jobs, shards.get(0).manifest().part());
    }
    int code = ExitCode.OK.code();
    boolean resumed = false;
    for (JobFolder.Entry each : shards) {
      boolean running = jobs.isHeld(each.manifest());
      JobState state = each.history().state();
      if (running || state.isFinal()) {
        ConsoleAnnouncer.of(command)
            .say("job", "shard " + each.manifest().part() + " is " + (running ? "running" : state));
      } else {
        code = Math.max(code, resume(jobs, each.manifest().part()));
        resumed = true;
      }
    }
    if (!resumed) {
      throw new OperationException(
          Kind.REFUSED, "Every shard of job " + id + " is running or finished.");
    }
    return code;
  }

  private LoadResult load(
      JobFolder jobs, JobShard part, StoreAddress store, ConsoleAnnouncer announcer)
      throws JobException, StoreException, IOException, InterruptedException {
    try (Job job = jobs.open(id, part)) {
      return new LoadRunner(store, announcer).resume(job, Optional.ofNullable(budget));
    }
  }

  private int resume(JobFolder jobs, JobShard part)
      throws JobException, StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    StoreAddress store = target.address();
    LoadResult result = load(jobs, part, store, announcer);
    PrintWriter out = command.commandLine().getOut();
    json.print(
        out,
        "job resume",
        Map.of("job", id, "shard", part.toString()),
        result.json(),
        () -> LoadPrinter.print(result, out));
    LoadPrinter.warn(result, announcer.err());
    ExitCode code = result.outcome().rejected() == 0 ? ExitCode.OK : ExitCode.REJECTS;
    if (result.stage().isPresent()) {
      return code.code();
    }
    try (StoreConnection from = store.open(announcer)) {
      ExitCode counted = VerifyPrinter.count(jobs.look(id, part), from, announcer, announcer.err());
      return (counted == ExitCode.OK ? code : counted).code();
    }
  }
}
