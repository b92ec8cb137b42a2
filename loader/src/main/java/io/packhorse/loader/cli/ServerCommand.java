package io.packhorse.loader.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code packhorse server}: the embedded store's processes. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    description = "Starts, stops and shows an HBase and an OpenTSDB on this machine.",
    subcommands = {ServerStartCommand.class, ServerStopCommand.class, ServerStatusCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExample:%n",
    footer = {
      "  packhorse server start --dir /tmp/store --tsd-port 4242",
      "  curl http://127.0.0.1:4242/api/version",
      "  packhorse server stop --dir /tmp/store"
    })
final class ServerCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "start, stop or status is missing");
  }
}
