package io.packhorse.cluster.admin;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.schema.key.BaseTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code regions}: places and splits the regions of the data table. */
@Command(
    name = "regions",
    mixinStandardHelpOptions = true,
    description = "Places and splits the regions of the data table.",
    subcommands = {
      RegionsCommand.AllowSplits.class,
      RegionsCommand.Place.class,
      RegionsCommand.Split.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class RegionsCommand implements Runnable {
  private static final long POLL_MS = 500;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** What the commands have in common: a connection and the layout of the tables. */
  abstract static class OfTable implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
        names = "--tsd-conf",
        paramLabel = "FILE",
        required = true,
        description = "The TSD's opentsdb.conf, for table names, salt and UID widths.")
    private Path tsdConf = Path.of("");

    abstract int run(DataRegions regions, PrintWriter out) throws IOException, InterruptedException;

    @Override
    public Integer call() throws IOException, InterruptedException {
      TableLayout layout = TableLayout.ofTsdConfig(tsdConf);
      try (Connection connection = HBaseClient.connect()) {
        return run(new DataRegions(connection, layout), spec.commandLine().getOut());
      }
    }
  }

  /** {@code allow-splits}: once, before the first {@code split}. */
  @Command(
      name = "allow-splits",
      mixinStandardHelpOptions = true,
      description =
          "Lets regions of the data table be split; from then on HBase also splits by size.")
  static final class AllowSplits extends OfTable {
    @Override
    int run(DataRegions regions, PrintWriter out) throws IOException {
      regions.allowSplits();
      out.println("done");
      return 0;
    }
  }

  /** {@code place HOST...}: spreads salt buckets over region servers. */
  @Command(
      name = "place",
      mixinStandardHelpOptions = true,
      description = {
        "Moves the regions of the data table to the given region servers, salt bucket by salt bucket",
        "in turn, and waits until they are there and no compaction runs. Turn the balancer off first."
      })
  static final class Place extends OfTable {
    @Parameters(arity = "1..*", paramLabel = "HOST", description = "Region servers.")
    private List<String> hosts = new ArrayList<>();

    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        description = "How long to wait; default: ${DEFAULT-VALUE}.")
    private int waitSeconds = 300;

    @Override
    int run(DataRegions regions, PrintWriter out) throws IOException, InterruptedException {
      long deadline = System.nanoTime() + waitSeconds * 1_000_000_000L;
      regions.place(hosts);
      while (!regions.isPlaced(hosts)) {
        if (System.nanoTime() >= deadline) {
          out.println(
              "not all regions are placed and compacted after "
                  + waitSeconds
                  + " s: "
                  + regions.countByHost());
          return ClusterAdmin.UNHEALTHY;
        }
        Thread.sleep(POLL_MS);
      }
      out.println("regions by host: " + regions.countByHost());
      return 0;
    }
  }

  /** {@code split}: at an hour of a metric, in every salt bucket. */
  @Command(
      name = "split",
      mixinStandardHelpOptions = true,
      description = "Splits the region of each salt bucket at an hour of a metric.")
  static final class Split extends OfTable {
    @Option(names = "--metric", paramLabel = "NAME", required = true, description = "The metric.")
    private String metric = "";

    @Option(
        names = "--at",
        paramLabel = "TIME",
        required = true,
        description = "A time in that hour, such as 2024-01-15T12:00:00Z.")
    private Instant time = Instant.EPOCH;

    @Override
    int run(DataRegions regions, PrintWriter out) throws IOException, InterruptedException {
      int split = regions.split(metric, BaseTime.ofSeconds(time.getEpochSecond()));
      out.println("split regions: " + split);
      return 0;
    }
  }
}
