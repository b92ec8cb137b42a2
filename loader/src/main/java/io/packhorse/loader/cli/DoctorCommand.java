package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.ClusterChecks;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.PreflightChecks;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code doctor}: checks everything that can be known before a load, and says what to do. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Check a store and its TSDs before a load: tables, layout, UIDs left, patches, settings, TTL,"
          + " clocks, disks, codecs.",
      "Changes nothing, but for --codec, which makes an empty table and removes it.",
    },
    footer = {
      "",
      "Exit code 7 if a check failed, else 0, even with warnings.",
      "",
      "Examples:",
      "  packhorse doctor",
      "      the embedded store, started if need be",
      "  packhorse doctor --hbase-conf client-site.xml --tsd-conf opentsdb.conf --tsd-url"
          + " http://tsd1:4242",
      "      a cluster",
    })
final class DoctorCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final TargetOptions target = new TargetOptions();

  @Option(
      names = "--cells",
      paramLabel = "FORM",
      defaultValue = "packed",
      converter = CellFormOption.class,
      description = "What is to be loaded, packed or compacted cells (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private CellForm form;

  @Option(
      names = "--max-tags",
      paramLabel = "N",
      defaultValue = "" + SeriesRules.TAGS_MAX,
      description = "Most tags of a series that is to be loaded (default: ${DEFAULT-VALUE}).")
  private int tagsMax;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      description = "Try a compression on every region server: zstd, snappy, lz4, gz.")
  private @Nullable String codec;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    List<Finding> findings = examine();
    Verdict worst =
        findings.stream().map(Finding::verdict).max(Verdict::compareTo).orElse(Verdict.OK);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("cells", form.toString());
    settings.put("max_tags", tagsMax);
    settings.put("codec", codec);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("verdict", worst);
    result.put("findings", findings);
    PrintWriter out = command.commandLine().getOut();
    ExitCode ended = worst == Verdict.FAIL ? ExitCode.PREFLIGHT : ExitCode.OK;
    json.print(command, ended, settings, result, () -> print(findings, out));
    return ended.code();
  }

  private List<Finding> examine() throws StoreException, IOException, InterruptedException {
    StoreAddress store = target.address();
    List<Finding> settings = new ArrayList<>();
    store
        .tsdConfigFile()
        .forEach((file, config) -> settings.addAll(TsdChecks.settings(config, file, tagsMax)));
    try (StoreConnection to = store.connect(ConsoleAnnouncer.of(command))) {
      PreflightChecks checks = new PreflightChecks(to, form, tagsMax);
      checks.add(settings);
      if (!checks.servers()) {
        return checks.findings();
      }
      checks.tables(true);
      checks.storedKeys();
      checks.uids();
      List<URI> tsds = store.tsds(to);
      checks.tsds(tsds);
      if (tsds.isEmpty()) {
        checks.add(List.of(noTsd()));
      }
      if (codec != null) {
        checks.codec(codec.toUpperCase(Locale.ROOT));
      }
      checks.add(List.of(jobsRoom()));
      storeRoom(to).ifPresent(room -> checks.add(List.of(room)));
      return checks.findings();
    } catch (OperationException e) {
      if (e.kind() != OperationException.Kind.CLUSTER) {
        throw e;
      }
      settings.add(
          Finding.fail(
              "reachable",
              "store",
              String.valueOf(e.getMessage()),
              "start it, or correct its address"));
      return settings;
    }
  }

  private static Finding noTsd() {
    return Finding.warn(
        "patched",
        "TSDs",
        "none was named, so it is not known whether they can read what is loaded",
        "name them with --tsd-url http://HOST:4242");
  }

  private Finding jobsRoom() throws IOException {
    Path jobs = target.address().jobs().path();
    Path there = jobs;
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    FileStore disk = Files.getFileStore(there);
    return ClusterChecks.diskSpace(
        "jobs and sorting", jobs.toString(), disk.getUsableSpace(), disk.getTotalSpace());
  }

  /** Room below HBase; that of the embedded store is the one of its jobs. */
  private static Optional<Finding> storeRoom(StoreConnection to) throws IOException {
    if (to.embedded().isPresent()) {
      return Optional.empty();
    }
    Optional<Cluster.DiskSpace> room = to.cluster().diskSpace();
    return Optional.of(
        room.isPresent()
            ? ClusterChecks.diskSpace(
                "HBase", room.get().name(), room.get().freeBytes(), room.get().totalBytes())
            : Finding.warn(
                "disk", "HBase", "room is not known", "give its hbase-site.xml with --hbase-conf"));
  }

  private static void print(List<Finding> findings, PrintWriter out) {
    int where = findings.stream().mapToInt(finding -> finding.where().length()).max().orElse(0);
    for (Finding finding : findings) {
      out.printf(
          "%-4s  %-10s  %-" + where + "s  %s%n",
          finding.verdict(),
          finding.check(),
          finding.where(),
          finding.found());
      if (!finding.todo().isEmpty()) {
        out.println("      -> " + finding.todo());
      }
    }
    out.printf(
        "%s: %d failed, %s%n",
        HumanNumbers.count(findings.size(), "check", "checks"),
        count(findings, Verdict.FAIL),
        HumanNumbers.count(count(findings, Verdict.WARN), "warning", "warnings"));
  }

  private static long count(List<Finding> findings, Verdict verdict) {
    return findings.stream().filter(finding -> finding.verdict() == verdict).count();
  }
}
