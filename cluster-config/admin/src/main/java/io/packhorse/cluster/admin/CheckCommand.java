package io.packhorse.cluster.admin;

import io.packhorse.cluster.check.ConfigCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check FOLDER...}: checks rendered configuration with the classes that read it. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "Checks configuration folders with the classes of the programs that read them.")
final class CheckCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      description = "Configuration folder of a host.")
  private List<Path> folders = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    ConfigCheck check = ConfigCheck.ofClassPath();
    int found = 0;
    for (Path folder : folders) {
      for (String problem : check.problems(folder)) {
        spec.commandLine().getOut().println(folder + ": " + problem);
        found++;
      }
    }
    spec.commandLine().getOut().println(found == 0 ? "no problems" : found + " problems");
    return found == 0 ? 0 : ClusterAdmin.UNHEALTHY;
  }
}
