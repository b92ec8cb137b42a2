package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
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
      int code = Resumable.of(job.manifest(), command).resume(job, target);
      boolean packed = job.manifest().cells().equals("packed");
      return packed && !counted() ? ExitCode.VERIFICATION.code() : code;
    }
  }

  /** Whether as many points can be read as were packed: none hidden by a delete, say. */
  private boolean counted() throws JobException, StoreException, IOException, InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    long started = System.nanoTime();
    try (Target from = target.open(err)) {
      VerifyReport report = new JobVerification(target.jobs().look(id), from, err).counts();
      VerifyCommand.print(report, (System.nanoTime() - started) / 1e9, err);
      return report.passed();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Loaded, but cannot be counted: " + LoadRun.cause(e) + ".", e);
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
  }

  private static CommandException refused(Manifest manifest, String why) {
    return new CommandException(
        ExitCode.PREFLIGHT, "Job " + manifest.id() + " cannot be resumed: " + why + ".");
  }
}
