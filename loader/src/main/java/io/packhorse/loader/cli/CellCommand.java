package io.packhorse.loader.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cell}: explains stored bytes. */
@Command(
    name = "cell",
    mixinStandardHelpOptions = true,
    description = "Inspect a packed cell.",
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
