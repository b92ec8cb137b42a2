package io.packhorse.loader.cli;

import io.packhorse.loader.load.CreatedTables;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.TablePlan;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.SplitPoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code schema create}: the tables of a new cluster. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Create OpenTSDB's four tables and the table packhorse. The data table is split into regions"
          + " by salt bucket, or as schema plan suggests for a workload.",
      "Existing tables are never altered: if the data table exists, or another one differs, nothing"
          + " is created (exit code 7).",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse schema create --zookeeper zk1:2181 --tsd-conf opentsdb.conf",
      "  packhorse schema create --hbase-conf client-site.xml --tsd-conf opentsdb.conf \\",
      "      --series 1000000 --interval 1m --retention 104w --metrics 20 --compression zstd",
    })
final class SchemaCreateCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final WorkloadOptions workload = new WorkloadOptions();

  @Option(
      names = "--compression",
      paramLabel = "CODEC",
      defaultValue = "none",
      description =
          "none, or zstd, snappy, lz4, gz: of the blocks of OpenTSDB's tables, tried on every"
              + " region server first. Dense hours are packed already; hours of 60 points and fewer"
              + " become half as large (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String compression;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    if (target.address().isEmbedded()) {
      throw new ParameterException(
          command.commandLine(),
          "The embedded store creates its own tables: name a cluster with --zookeeper or"
              + " --hbase-conf.");
    }
    try (StoreConnection to = target.address().connect(ConsoleAnnouncer.of(command))) {
      print(
          CreatedTables.create(
              to, splits(to.layout().rowKeys()), compression.toUpperCase(Locale.ROOT)));
    }
    return ExitCode.OK.code();
  }

  private List<byte[]> splits(RowKeyLayout layout) {
    Optional<TablePlan> plan = workload.plan(layout);
    return plan.isPresent()
        ? plan.get().splitPoints(workload.until())
        : SplitPoints.bySaltBucket(layout.salt().width(), layout.salt().buckets());
  }

  private void print(CreatedTables tables) throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("done", tables.done());
    result.put("kept", tables.kept());
    result.put("regions", tables.regions());
    PrintWriter out = command.commandLine().getOut();
    json.print(
        command,
        ExitCode.OK,
        Map.of("compression", compression),
        result,
        () -> {
          tables.done().forEach(out::println);
          tables.kept().forEach(table -> out.println("kept table " + table + " as it is"));
          out.println(
              "the data table has " + HumanNumbers.count(tables.regions(), "region", "regions"));
        });
  }
}
