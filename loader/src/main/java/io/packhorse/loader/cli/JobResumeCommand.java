package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code job resume}: the command that began a job once more, from its last checkpoint. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Go on with a job that was interrupted or killed, from its last checkpoint.",
      "The options are those it began with; its files must not have changed.",
    })
final class JobResumeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "JOB", description = "Id of the job, as job list shows it.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Mixin private final TargetOptions target = new TargetOptions();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    try (Job job = target.jobs().open(id)) {
      check(job);
      if (job.tornBytes() > 0) {
        command
            .commandLine()
            .getErr()
            .printf(
                "job       cut %d bytes of an unfinished record off the ledger%n", job.tornBytes());
      }
      job.tidy();
      return begunBy(job.manifest()).resume(job, target);
    }
  }

  private static void check(Job job) {
    Manifest manifest = job.manifest();
    JobState state = job.history().state();
    if (state == JobState.LOADED || state == JobState.ROLLED_BACK) {
      throw refused(manifest, "it is " + state);
    }
    if (!manifest.repeatable()) {
      throw refused(manifest, "it has read an input that cannot be read again");
    }
    if (!manifest.folder().equals(LoadJob.workingFolder())) {
      throw refused(manifest, "it began in the folder " + manifest.folder() + ", go there first");
    }
  }

  private static CommandException refused(Manifest manifest, String why) {
    return new CommandException(
        ExitCode.PREFLIGHT, "Job " + manifest.id() + " cannot be resumed: " + why + ".");
  }

  /** The command line that began the job, read again. */
  private Resumable begunBy(Manifest manifest) {
    CommandLine root =
        Packhorse.commandLine()
            .setOut(command.commandLine().getOut())
            .setErr(command.commandLine().getErr());
    ParseResult parsed = root.parseArgs(manifest.arguments().toArray(String[]::new));
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    return (Resumable) parsed.commandSpec().userObject();
  }
}
