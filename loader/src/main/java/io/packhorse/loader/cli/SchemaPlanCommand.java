package io.packhorse.loader.cli;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.load.HumanNumbers;
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
import java.util.Locale;
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
  /** Copies that HDFS keeps of each block. */
  private static final int COPIES = 3;

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
        command, ExitCode.OK, Map.of("servers", servers), result(plan), () -> print(plan, out));
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
    result.put("bytes_on_disks", COPIES * plan.bytes());
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

  private void print(TablePlan plan, PrintWriter out) {
    SaltFunction salt = plan.layout().salt();
    out.printf("points    %s%n", HumanNumbers.si(plan.volume().points()));
    out.printf(
        "cells     %s of %s points%n",
        HumanNumbers.si(plan.volume().cells()), HumanNumbers.si(plan.volume().pointsPerCell()));
    out.printf(
        "size      %s of HFiles, %s bytes/point; %s on disks with %d copies%n",
        HumanNumbers.bytes(plan.bytes()),
        HumanNumbers.ratio(plan.bytesPerPoint()),
        HumanNumbers.bytes(COPIES * plan.bytes()),
        COPIES);
    out.printf(
        "salt      tsd.storage.salt.width = %d, tsd.storage.salt.buckets = %d; fixed once the first"
            + " point is stored%n",
        salt.width(), salt.buckets());
    out.printf(
        "regions   %d of %s: %d per salt bucket, %s%n",
        plan.regions(),
        HumanNumbers.bytes(plan.bytes() / plan.regions()),
        plan.regionsPerBucket(),
        plan.regionsPerBucket() == 1 ? "split by bucket" : "split by bucket, metric and time");
    for (UidKind kind : UidKind.values()) {
      out.printf(
          "UIDs      %s: %s%s of %s%s%n",
          kind.qualifier(),
          kind == UidKind.TAGV ? "at most " : "",
          HumanNumbers.count(plan.uids(kind)),
          HumanNumbers.count(plan.uidsMax(kind)),
          plan.mayRunOut(kind)
              ? String.format(
                  Locale.ROOT,
                  " - TOO FEW: raise tsd.storage.uid.width.%s before the first point",
                  kind.name().toLowerCase(Locale.ROOT))
              : "");
    }
    if (salt.width() == 0) {
      out.println(
          "WARNING   without salt all new points of a metric are in one region: use one byte of"
              + " salt");
    }
  }
}
