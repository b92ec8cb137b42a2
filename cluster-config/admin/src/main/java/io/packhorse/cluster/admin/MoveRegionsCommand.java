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

/** Moves all regions away from a region server before it is stopped, and back afterwards. */
abstract class MoveRegionsCommand implements Callable<Integer> {
  private static final int THREADS = 8;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "HOST", description = "Host name of the region server in HBase.")
  private String host = "";

  @Option(
      names = "--list",
      paramLabel = "FILE",
      required = true,
      description = "File that unload writes the regions to and load reads them from.")
  private Path list = Path.of("");

  @Option(
      names = "--seconds-max",
      paramLabel = "SECONDS",
      description = "Time limit; default: ${DEFAULT-VALUE}.")
  private int secondsMax = 600;

  abstract boolean move(RegionMover mover) throws Exception;

  @Override
  public Integer call() throws Exception {
    try (RegionMover mover =
        new RegionMoverBuilder(host, HBaseClient.configuration())
            .filename(list.toString())
            .maxthreads(THREADS)
            .timeout(secondsMax)
            .build()) {
      boolean done = move(mover);
      spec.commandLine().getOut().println(done ? "done" : "some regions were not moved");
      return done ? 0 : ClusterAdmin.FAILED;
    }
  }

  /** {@code unload}: waits for each region to be open elsewhere. */
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

  /** {@code load}: waits until the server is live. */
  @Command(
      name = "load",
      mixinStandardHelpOptions = true,
      description = "Waits for a region server and moves back the regions that unload moved away.")
  static final class Load extends MoveRegionsCommand {
    @Override
    boolean move(RegionMover mover) throws Exception {
      return mover.load();
    }
  }
}
