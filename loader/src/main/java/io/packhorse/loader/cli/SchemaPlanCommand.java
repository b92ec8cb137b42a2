package io.packhorse.loader.cli;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.table.TablePlan;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code schema plan}: arithmetic, no cluster. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Calculate how large a workload becomes, which salt and regions it needs, and how many UIDs"
            + " it takes. No cluster is needed.",
    footer = {
      "",
      "Examples:",
      "  packhorse schema plan --series 1000000 --interval 1m --retention 104w --metrics 20"
          + " --servers 10",
      "  packhorse schema plan --series 128 --interval 1s --retention 365d --tsd-conf"
          + " opentsdb.conf",
      "      with the salt and widths that the TSD has",
    })
final class SchemaPlanCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final WorkloadOptions workload = new WorkloadOptions();

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Region servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--tsd-conf",
      paramLabel = "FILE",
      description =
          "The TSD's opentsdb.conf, if salt and widths are decided (default: one byte of salt, two"
              + " buckets per server but at least four, UIDs of three bytes).")
  private @Nullable Path tsdConf;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    if (servers < 1) {
      throw new ParameterException(command.commandLine(), "--servers must be 1 or more.");
    }
    TablePlan plan =
        workload
            .plan(layout())
            .orElseThrow(
                () ->
                    new ParameterException(
                        command.commandLine(),
                        "--series, --interval and --retention are needed: they describe the"
                            + " workload."));
    PrintWriter out = command.commandLine().getOut();
    json.print(
        command,
        ExitCode.OK,
        Map.of("servers", servers),
        result(plan),
        () -> TablePlanPrinter.print(plan, out));
    return ExitCode.OK.code();
  }

  private RowKeyLayout layout() {
    if (tsdConf == null) {
      return new RowKeyLayout(
          UidWidths.DEFAULT, new SaltFunction(1, TablePlan.bucketsFor(servers)));
    }
    try {
      return TableLayout.ofTsdConfig(tsdConf).rowKeys();
    } catch (IOException e) {
      throw new ParameterException(
          command.commandLine(),
          "Cannot read --tsd-conf " + tsdConf + ": " + e.getMessage() + ".",
          e);
    }
  }

  private Map<String, Object> result(TablePlan plan) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("points", plan.volume().points());
    result.put("cells", plan.volume().cells());
    result.put("bytes", plan.bytes());
    result.put("bytes_on_disks", TablePlanPrinter.COPIES * plan.bytes());
    result.put("bytes_per_point", plan.bytesPerPoint());
    result.put("salt_width", plan.layout().salt().width());
    result.put("salt_buckets", plan.layout().salt().buckets());
    result.put("regions", plan.regions());
    result.put(
        "split_points",
        plan.splitPoints(workload.until()).stream().map(HexFormat.of()::formatHex).toList());
    Map<String, Object> uids = new LinkedHashMap<>();
    for (UidKind kind : UidKind.values()) {
      uids.put(
          kind.qualifier(),
          Map.of(
              "needed", plan.uids(kind),
              "max", plan.uidsMax(kind),
              "width", plan.layout().widths().of(kind)));
    }
    result.put("uids", uids);
    return result;
  }
}
