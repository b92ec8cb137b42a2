package io.packhorse.loader.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cell}: a look at stored bytes. */
@Command(
    name = "cell",
    mixinStandardHelpOptions = true,
    description = "Look into a packed cell.",
    subcommands = CellDumpCommand.class,
    synopsisSubcommandLabel = "COMMAND")
final class CellCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  /** Without a subcommand: says which there are. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "dump is missing");
  }
}
