package io.packhorse.loader.cli;

import picocli.CommandLine.Command;

/** {@code job}: recorded loads. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    description = "Every load is a job: list, show, resume and roll back jobs.",
    subcommands = {
      JobListCommand.class,
      JobShowCommand.class,
      JobResumeCommand.class,
      JobRollbackCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
final class JobCommand {}
