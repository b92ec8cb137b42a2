package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code job resume}: the command that began a job once more, from its last checkpoint. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Go on with a job that was interrupted or killed, from its last checkpoint.",
      "The options are those it began with; its files must not have changed. In the end the points"
          + " stored are counted.",
      "Of a job of several loaders, every shard that is not finished and does not run, one after the"
          + " other; --shard names one.",
    })
final class JobResumeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Mixin private final ShardOption shard = new ShardOption();
  @Mixin private final TargetOptions target = new TargetOptions();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    JobFolder jobs = target.jobs();
    List<JobFolder.Entry> shards = jobs.shards(id, shard.shard());
    if (shards.size() == 1) {
      return resume(jobs, shards.get(0).manifest().part());
    }
    int code = ExitCode.OK.code();
    boolean resumed = false;
    for (JobFolder.Entry each : shards) {
      boolean running = jobs.isHeld(each.manifest());
      JobState state = each.history().state();
      if (running || isFinished(state)) {
        command
            .commandLine()
            .getErr()
            .printf(
                "job       shard %s is %s%n", each.manifest().part(), running ? "running" : state);
      } else {
        code = Math.max(code, resume(jobs, each.manifest().part()));
        resumed = true;
      }
    }
    if (!resumed) {
      throw new CommandException(
          ExitCode.PREFLIGHT, "Every shard of job " + id + " runs or is finished.");
    }
    return code;
  }

  private int resume(JobFolder jobs, JobShard part)
      throws JobException, StoreException, IOException, InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    try (Job job = jobs.open(id, part)) {
      check(job);
      if (job.tornBytes() > 0) {
        err.printf(
            "job       cut %d bytes of an unfinished record off the ledger%n", job.tornBytes());
      }
      job.tidy();
      int code = Resumable.of(job.manifest(), command).resume(job, target);
      JobFolder.Entry now = jobs.look(id, part);
      if (now.history().state() == JobState.WRITTEN) {
        return code;
      }
      try (Target from = target.open(err)) {
        return JobVerification.counted(now, from, err) ? code : ExitCode.VERIFICATION.code();
      }
    }
  }

  private static boolean isFinished(JobState state) {
    return state == JobState.LOADED || state == JobState.ROLLED_BACK;
  }

  private static void check(Job job) {
    Manifest manifest = job.manifest();
    JobState state = job.history().state();
    if (isFinished(state)) {
      throw refused(manifest, "it is " + state);
    }
    if (!manifest.repeatable() && state != JobState.WRITTEN) {
      throw refused(manifest, "it has read an input that cannot be read again");
    }
  }

  private static CommandException refused(Manifest manifest, String why) {
    return new CommandException(
        ExitCode.PREFLIGHT, "Job " + manifest.id() + " cannot be resumed: " + why + ".");
  }
}
