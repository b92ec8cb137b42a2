package io.packhorse.loader.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code summary}: what hours, days and months add up to. */
@Command(
    name = "summary",
    mixinStandardHelpOptions = true,
    description = {
      "Build, check and drop summaries: what hours, days and months of each series add up to.",
      "Loads store them by themselves. Answers do not depend on them; questions about long times are"
          + " faster with them.",
    },
    subcommands = {
      SummaryBuildCommand.class,
      SummaryDropCommand.class,
      SummaryVerifyCommand.class,
      SummaryShowCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class SummaryCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "build, drop, verify or show is missing");
  }
}
