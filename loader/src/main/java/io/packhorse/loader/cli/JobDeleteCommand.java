package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code job delete}: removes the record of a job. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Delete the record of a job with all its shards: it is no longer listed, and its name is free.",
      "Only a job that has stored nothing or is rolled back, unless --force is given. The store is"
          + " not touched: to delete the points of a job, roll it back first.",
    })
final class JobDeleteCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--force",
      description =
          "Also a job that has stored points, or whose files are damaged. Its points stay, and can no"
              + " longer be verified, rolled back or replaced by its name; HFiles it has staged stay"
              + " too.")
  private boolean force;

  @Mixin private final YesOption yes = new YesOption();
  @Mixin private final JobRecordOptions target = new JobRecordOptions();

  @Override
  public Integer call() throws JobException, IOException {
    JobFolder jobs = target.jobs();
    if (!force) {
      jobs.checkDeletable(id);
    }
    yes.confirm(
        force
            ? "Delete the record of job " + id + "? Points that it has stored stay."
            : "Delete the record of job " + id + ", which has no points in the store?");
    jobs.delete(id, force);
    ConsoleAnnouncer.of(command).say("job", id + " deleted");
    return ExitCode.OK.code();
  }
}
