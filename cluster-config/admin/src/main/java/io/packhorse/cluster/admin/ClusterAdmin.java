package io.packhorse.cluster.admin;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code packhorse-node admin}: commands for the cluster of the configuration on the class path.
 */
@Command(
    name = "packhorse-node admin",
    mixinStandardHelpOptions = true,
    description = "Administers the cluster that the configuration describes.",
    subcommands = {
      BalancerCommand.class,
      CheckCommand.class,
      DirectoriesCommand.class,
      HealthCommand.class,
      MoveRegionsCommand.Load.class,
      MoveRegionsCommand.Unload.class,
      RegionsCommand.class,
      TablesCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0 done, 2 usage, 5 the cluster cannot be reached or an operation failed,",
      "  6 health, regions place: not done in time; check: problems found"
    })
public final class ClusterAdmin implements Runnable {
  static final int FAILED = 5;
  static final int UNHEALTHY = 6;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  private ClusterAdmin() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Runs one command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new ClusterAdmin())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (error, line, parsed) -> {
              line.getErr().println("packhorse-node: " + error);
              return FAILED;
            });
  }
}
