package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code job show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Show one job with all its shards: its settings, inputs, progress and loader ids.")
final class JobShowCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Mixin private final JobRecordOptions target = new JobRecordOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, IOException {
    JobView job = JobView.of(target.jobs(), target.jobs().shards(id, Optional.empty()));
    json.print(
        command,
        ExitCode.OK,
        Map.of("jobs_dir", target.jobs().path().toString()),
        job.json(),
        () -> job.print(command.commandLine().getOut()));
    return ExitCode.OK.code();
  }
}
