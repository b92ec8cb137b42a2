package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.TableChecks;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.PreflightChecks;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.TablePlan;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.SplitPoints;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
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
      "Create OpenTSDB's four tables and the table packhorse. The data table is split into regions by"
          + " salt bucket, or as schema plan suggests for a workload.",
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
          "none, or zstd, snappy, lz4, gz: of the blocks of OpenTSDB's tables, tried on every region"
              + " server first. Dense hours are packed already; hours of 60 points and fewer become"
              + " half as large (default: ${DEFAULT-VALUE}).")
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
    String codec = compression.toUpperCase(Locale.ROOT);
    try (StoreConnection to = target.address().connect(ConsoleAnnouncer.of(command))) {
      List<byte[]> splits = splits(to.layout().rowKeys());
      List<TableSpec> specs = specs(to, splits, codec);
      PreflightChecks checks = new PreflightChecks(to, CellForm.PACKED, 0);
      Map<String, FoundTable> found = checks.found();
      if (found.containsKey(to.layout().dataTable())) {
        throw new OperationException(
            Kind.REFUSED,
            "Nothing was created: "
                + to.layout().dataTable()
                + " exists; see packhorse schema describe.");
      }
      List<TableSpec> there =
          specs.stream().filter(spec -> found.containsKey(spec.name())).toList();
      PreflightChecks.refuse(TableChecks.differences(to.layout(), there, found));
      if (!codec.equals(FamilySpec.NOT_COMPRESSED)) {
        checks.codec(codec);
        PreflightChecks.refuse(checks.findings());
      }
      print(create(to, specs), List.copyOf(found.keySet()), splits.size() + 1);
    }
    return ExitCode.OK.code();
  }

  /** The data table last: once it is there, nothing is made any more. */
  private static List<String> create(StoreConnection to, List<TableSpec> specs) {
    List<TableSpec> dataLast = new ArrayList<>(specs);
    Collections.reverse(dataLast);
    try {
      return new HBaseTables(to.cluster().connection()).createMissing(dataLast);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Not all tables were created: "
              + Causes.sentence(e)
              + "; run the command again to create the others.",
          e);
    }
  }

  private List<TableSpec> specs(StoreConnection to, List<byte[]> splits, String codec) {
    try {
      return to.layout().tables(splits, codec);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
    }
  }

  private List<byte[]> splits(RowKeyLayout layout) {
    Optional<TablePlan> plan = workload.plan(layout);
    return plan.isPresent()
        ? plan.get().splitPoints(workload.until())
        : SplitPoints.bySaltBucket(layout.salt().width(), layout.salt().buckets());
  }

  private void print(List<String> done, List<String> kept, int regions) throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("done", done);
    result.put("kept", kept);
    result.put("regions", regions);
    PrintWriter out = command.commandLine().getOut();
    json.print(
        out,
        "schema create",
        Map.of("compression", compression),
        result,
        () -> {
          done.forEach(out::println);
          kept.forEach(table -> out.println("kept table " + table + " as it is"));
          out.printf("the data table has %d regions%n", regions);
        });
  }
}
