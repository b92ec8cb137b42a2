package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.PreflightChecks;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.FoundFamily;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.FoundTable.Regions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code schema describe}: looks, changes nothing. */
@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show the tables of a store, and what differs from what they should be.",
    footer = {
      "",
      "Example:",
      "  packhorse schema describe --zookeeper zk1:2181 --tsd-conf opentsdb.conf",
    })
final class SchemaDescribeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    try (StoreConnection to = target.address().connect(ConsoleAnnouncer.of(command))) {
      PreflightChecks checks = new PreflightChecks(to, CellForm.PACKED, 0);
      Collection<FoundTable> tables = checks.found().values();
      checks.tables(true);
      checks.storedKeys();
      List<Finding> differences =
          checks.findings().stream().filter(f -> f.verdict() != Verdict.OK).toList();
      PrintWriter out = command.commandLine().getOut();
      json.print(
          command,
          ExitCode.OK,
          Map.of("layout", to.layout().sentence()),
          Map.of(
              "tables",
              tables.stream().map(SchemaDescribeCommand::json).toList(),
              "differences",
              differences),
          () -> print(to.layout().sentence(), tables, differences, out));
    }
    return ExitCode.OK.code();
  }

  private static Map<String, Object> json(FoundTable table) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", table.name());
    object.put("regions", table.startKeys().size());
    object.put("servers", table.servers());
    object.put("region_splits", table.regions() != Regions.FIXED);
    object.put("bytes", SummaryPrinter.bytesOrNull(table));
    object.put("families", table.families().stream().map(SchemaDescribeCommand::json).toList());
    return object;
  }

  private static Map<String, Object> json(FoundFamily family) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", family.name());
    object.put("compression", family.compression());
    object.put("encoding", family.encoding());
    object.put("bloom_filter", family.bloom());
    object.put("versions", family.versions());
    object.put("ttl_s", family.ttlSeconds() == FoundFamily.FOREVER ? null : family.ttlSeconds());
    return object;
  }

  private static String splits(Regions regions) {
    return switch (regions) {
      case FIXED -> "off";
      case SPLIT_BY_SIZE -> "on";
      case BY_STORE -> "by the store";
    };
  }

  private static void print(
      String layout, Collection<FoundTable> tables, List<Finding> differences, PrintWriter out) {
    out.println("layout    " + layout);
    for (FoundTable table : tables) {
      out.printf(
          "table     %s: %s on %s, %s, region splits %s%n",
          table.name(),
          HumanNumbers.count(table.startKeys().size(), "region", "regions"),
          HumanNumbers.count(table.servers().size(), "server", "servers"),
          SummaryPrinter.bytes(table),
          splits(table.regions()));
      for (FoundFamily family : table.families()) {
        out.printf(
            "          %s: compression %s, encoding %s, bloom filter %s, %s, TTL %s%n",
            family.name(),
            family.compression(),
            family.encoding(),
            family.bloom(),
            HumanNumbers.count(family.versions(), "version", "versions"),
            family.ttlSeconds() == FoundFamily.FOREVER ? "none" : family.ttlSeconds() + " s");
      }
    }
    differences.forEach(
        difference -> out.printf("%-9s %s%n", difference.verdict(), difference.sentence()));
    if (differences.isEmpty()) {
      out.println("as it should be");
    }
  }
}
