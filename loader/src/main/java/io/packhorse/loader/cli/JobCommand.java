package io.packhorse.loader.cli;

import picocli.CommandLine.Command;

/** {@code job}: loads as they are on record. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    description = "Every load is a job: see, resume and undo them.",
    subcommands = {
      JobListCommand.class,
      JobShowCommand.class,
      JobResumeCommand.class,
      JobRollbackCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
final class JobCommand {}
