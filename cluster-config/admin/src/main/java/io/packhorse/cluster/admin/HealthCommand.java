package io.packhorse.cluster.admin;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code health}: what playbooks wait for before they change the next host. */
@Command(
    name = "health",
    mixinStandardHelpOptions = true,
    description = "Waits until the cluster is healthy, and prints the problems if it is not.")
final class HealthCommand implements Callable<Integer> {
  private static final long PAUSE_MS = 2_000;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--region-servers",
      paramLabel = "N",
      description = "Region servers that must be live; default: ${DEFAULT-VALUE}.")
  private int regionServers = 1;

  @Option(
      names = "--data-nodes",
      paramLabel = "N",
      description = "DataNodes that must be live; default: ${DEFAULT-VALUE}.")
  private int dataNodes = 1;

  @Option(
      names = "--under-replicated-max",
      paramLabel = "N",
      description = "Blocks that may have too few copies; default: ${DEFAULT-VALUE}.")
  private long underReplicatedMax;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "How long to wait; default: ${DEFAULT-VALUE}.")
  private int waitSeconds;

  @Override
  public Integer call() throws InterruptedException {
    long deadline = System.nanoTime() + waitSeconds * 1_000_000_000L;
    while (true) {
      List<String> problems = problems();
      boolean late = System.nanoTime() >= deadline;
      if (problems.isEmpty() || late) {
        spec.commandLine()
            .getOut()
            .println(problems.isEmpty() ? "healthy" : String.join(", ", problems));
        return problems.isEmpty() ? 0 : ClusterAdmin.UNHEALTHY;
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private List<String> problems() {
    try {
      return Health.now().problems(regionServers, dataNodes, underReplicatedMax);
    } catch (IOException e) {
      return List.of("no answer: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }
}
