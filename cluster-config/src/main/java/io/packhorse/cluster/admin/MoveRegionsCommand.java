package io.packhorse.cluster.admin;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.RegionMover;
import org.apache.hadoop.hbase.util.RegionMover.RegionMoverBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Empties a region server before it is stopped, and gives it its regions back afterwards. */
abstract class MoveRegionsCommand implements Callable<Integer> {
  private static final int THREADS = 8;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "HOST", description = "The region server, as HBase knows it.")
  private String host = "";

  @Option(
      names = "--list",
      paramLabel = "FILE",
      required = true,
      description = "Where its regions are written down between the two commands.")
  private Path list = Path.of("");

  @Option(
      names = "--seconds-max",
      paramLabel = "SECONDS",
      description = "How long it may take; default: ${DEFAULT-VALUE}.")
  private int secondsMax = 600;

  abstract boolean move(RegionMover mover) throws Exception;

  @Override
  public Integer call() throws Exception {
    try (RegionMover mover =
        new RegionMoverBuilder(host, HBase.configuration())
            .filename(list.toString())
            .maxthreads(THREADS)
            .timeout(secondsMax)
            .build()) {
      boolean done = move(mover);
      spec.commandLine().getOut().println(done ? "done" : "not all regions were moved");
      return done ? 0 : ClusterAdmin.FAILED;
    }
  }

  /** {@code unload}: away from the server, each move acknowledged. */
  @Command(
      name = "unload",
      mixinStandardHelpOptions = true,
      description = "Moves all regions away from a region server; turn the balancer off first.")
  static final class Unload extends MoveRegionsCommand {
    @Override
    boolean move(RegionMover mover) throws Exception {
      return mover.unload();
    }
  }

  /** {@code load}: back to it; waits until the server is there. */
  @Command(
      name = "load",
      mixinStandardHelpOptions = true,
      description = "Waits for a region server and moves the regions back that unload took away.")
  static final class Load extends MoveRegionsCommand {
    @Override
    boolean move(RegionMover mover) throws Exception {
      return mover.load();
    }
  }
}
