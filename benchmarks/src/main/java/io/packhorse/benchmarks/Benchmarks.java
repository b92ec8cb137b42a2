package io.packhorse.benchmarks;

import io.packhorse.benchmarks.cells.CellsBenchmark;
import io.packhorse.benchmarks.load.LoadBenchmark;
import io.packhorse.benchmarks.plain.PlainBenchmark;
import io.packhorse.benchmarks.query.QueryBenchmark;
import io.packhorse.benchmarks.receive.ReceiveBenchmark;
import io.packhorse.benchmarks.repack.RepackBenchmark;
import io.packhorse.benchmarks.seeds.SeedsBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run NAME}. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    description = "Checks the answers, then measures; a table on standard output.",
    footer = {
      "",
      "Benchmarks:",
      "  reference   the reference workload, packed and compacted, null sink and Puts",
      "  cells       sizes and speed of cells for each data shape, beside other codecs",
      "  load        whole loads of files and generated points, beside TsFile and tsdb import",
      "  query       a stock OpenTSDB over its own cells, ours over packed ones",
      "  plain       live puts and queries without packed cells: CPU of stock and ours",
      "  receive     points of live clients, beside the TSD's own puts and QuestDB",
      "  repack      repacks of what OpenTSDB stored; exports, beside tsdb scan --import",
      "  seeds       the workloads of published experiments: filled, verified, read",
      "  jmh [...]   kernels; what follows goes to JMH (benchmarks/run jmh -h)",
      "",
      "Examples:",
      "  benchmarks/run reference --quick",
      "  benchmarks/run reference --json reference.json",
      "  benchmarks/run cells --quick --only walk50 --only b_iot",
      "  benchmarks/run cells --file taxi=nyc_taxi.csv",
      "  benchmarks/run load --quick --only text-w1",
      "  benchmarks/run receive --only influx-4k",
      "  benchmarks/run jmh PackedCell -f 1",
    })
public final class Benchmarks implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "Which benchmark.")
  @SuppressWarnings("NullAway.Init")
  private String name;

  @Option(names = "--quick", description = "Smaller sizes, one run each: a few minutes at most.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write settings and rows here.")
  private @Nullable Path json;

  @Option(
      names = "--file",
      paramLabel = "NAME=FILE",
      description =
          "cells: also real values, a line each, the last word counting; words are separated by"
              + " blanks, commas or semicolons.")
  private Map<String, Path> files = new LinkedHashMap<>();

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description =
          "cells, load, receive, repack, seeds: only this shape, --file or case; may be repeated.")
  private List<String> only = new ArrayList<>();

  private Benchmarks() {}

  /** Runs one benchmark; exit code 0, 1 if it failed, 2 for usage. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 0 && arguments[0].equals("jmh")) {
      org.openjdk.jmh.Main.main(java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
      return;
    }
    System.exit(new CommandLine(new Benchmarks()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, Benchmark> all =
        new TreeMap<>(
            Map.of(
                "cells", new CellsBenchmark(files, only),
                "load", new LoadBenchmark(only),
                "plain", new PlainBenchmark(),
                "query", new QueryBenchmark(),
                "receive", new ReceiveBenchmark(only),
                "reference", new ReferenceBenchmark(),
                "repack", new RepackBenchmark(only),
                "seeds", new SeedsBenchmark(only)));
    Benchmark benchmark = all.get(name);
    if (benchmark == null) {
      throw new ParameterException(
          spec.commandLine(),
          "Unknown benchmark '" + name + "'; there are: " + String.join(", ", all.keySet()) + ".");
    }
    if (!name.equals("cells") && !files.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--file is for the benchmark cells.");
    }
    if (!Set.of("cells", "load", "receive", "repack", "seeds").contains(name) && !only.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--only is for the benchmarks cells, load, receive, repack and seeds.");
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("benchmark", name + (quick ? " --quick" : ""));
    settings.put("commit", System.getProperty("packhorse.commit", "unknown"));
    settings.put("jdk", System.getProperty("java.runtime.version"));
    settings.put("cores", Runtime.getRuntime().availableProcessors());
    Report report = new Report(settings);
    benchmark.run(
        new PackhorseCommand(Path.of(System.getProperty("packhorse.launcher"))), quick, report);
    if (report.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "Nothing was measured: --only must name cases of " + name + ", one each time: " + only);
    }
    report.print(System.out);
    if (json != null) {
      report.write(json);
    }
    return 0;
  }
}
