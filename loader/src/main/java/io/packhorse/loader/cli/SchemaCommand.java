package io.packhorse.loader.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code schema}: OpenTSDB's tables and ours. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Plan, create and show the tables of a cluster.",
    subcommands = {SchemaPlanCommand.class, SchemaCreateCommand.class, SchemaDescribeCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class SchemaCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "plan, create or describe is missing");
  }
}
