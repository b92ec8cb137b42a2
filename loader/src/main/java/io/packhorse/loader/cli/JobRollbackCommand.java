package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobShards;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.Rollback;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code job rollback}: deletes what a job has stored and nothing else. */
@Command(
    name = "rollback",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Delete exactly the packed cells that a job has stored.",
      "Points of other jobs and of TSDs stay, even in the same rows. Names keep their UIDs.",
    })
final class JobRollbackCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Mixin private final YesOption yes = new YesOption();
  @Mixin private final ShardOption shard = new ShardOption();
  @Mixin private final TargetOptions target = new TargetOptions();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    StoreAddress store = target.address();
    try (JobShards shards = JobShards.open(store.jobs(), id, shard.shard())) {
      yes.confirm(what(shards));
      ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
      try (StoreConnection from = store.open(announcer)) {
        new Rollback(shards, from, announcer).run();
      }
    }
    return ExitCode.OK.code();
  }

  private static String what(JobShards shards) {
    Manifest manifest = shards.jobs().get(0).manifest();
    long points = shards.jobs().stream().mapToLong(job -> job.history().counts().packed()).sum();
    return String.format(
        "Delete the %s points or more of job %s (%s)?",
        HumanNumbers.count(points), manifest.id(), String.join(" ", manifest.command()));
  }
}
