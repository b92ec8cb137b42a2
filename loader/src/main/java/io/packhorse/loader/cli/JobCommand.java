package io.packhorse.loader.cli;

import picocli.CommandLine.Command;

/** {@code job}: recorded loads. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    description = "Every load is a job: list, show, resume, roll back and delete jobs.",
    subcommands = {
      JobListCommand.class,
      JobShowCommand.class,
      JobResumeCommand.class,
      JobRollbackCommand.class,
      JobDeleteCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
final class JobCommand {}
