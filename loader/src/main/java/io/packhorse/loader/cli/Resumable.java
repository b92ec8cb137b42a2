package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A command that begins a job; its options are those that the job began with. */
interface Resumable {
  /**
   * Reads the command line again that began a job.
   *
   * @param now the command being executed, whose output it takes over
   * @throws CommandException PREFLIGHT if relative names would not mean the same now
   */
  static Resumable of(Manifest manifest, CommandSpec now) {
    if (!manifest.folder().equals(LoadJob.workingFolder())) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          "Job "
              + manifest.id()
              + " began in the folder "
              + manifest.folder()
              + "; go there first, so that its command line means the same.");
    }
    CommandLine root =
        Packhorse.commandLine()
            .setOut(now.commandLine().getOut())
            .setErr(now.commandLine().getErr());
    ParseResult parsed = root.parseArgs(manifest.arguments().toArray(String[]::new));
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    return (Resumable) parsed.commandSpec().userObject();
  }

  /**
   * Goes on with a job that is not finished.
   *
   * @param job closed by the caller
   * @param target where it is resumed, instead of where the options say
   * @return the command's exit code
   */
  int resume(Job job, TargetOptions target)
      throws JobException, StoreException, IOException, InterruptedException;

  /**
   * Loads everything once more, not as a job, to compare it with what is stored.
   *
   * @param manifest of the job
   * @param comparing instead of where the options say
   * @throws CommandException PREFLIGHT if the files are not those that the job began with
   */
  void repeat(Manifest manifest, Destination comparing) throws IOException, InterruptedException;
}
