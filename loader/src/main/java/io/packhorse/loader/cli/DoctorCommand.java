package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.load.Doctor;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
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
    List<Finding> findings =
        new Doctor(target.address(), ConsoleAnnouncer.of(command))
            .examine(form, tagsMax, Optional.ofNullable(codec));
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
