package io.packhorse.loader.cli;

import io.packhorse.loader.source.WalkSpec;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest}: fills a store with generated history. */
@Command(
    name = "loadtest",
    mixinStandardHelpOptions = true,
    description = "Fill a store with generated history and measure it.",
    subcommands = LoadTestCommand.Run.class,
    synopsisSubcommandLabel = "COMMAND")
final class LoadTestCommand {

  /** {@code loadtest run}. */
  @Command(
      name = "run",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = "Load the reference workload; every value follows from the seed.",
      footer = {
        "",
        "Examples:",
        "  packhorse loadtest run --span 1d",
        "      a day of 128 sensors into the embedded store, started if need be",
        "  packhorse loadtest run --span 1d --cells compacted",
        "      the same in OpenTSDB's own cells, readable by any stock TSD",
        "  packhorse loadtest run --span 365d --sink hfiles",
        "      a year, written as HFiles beside HBase and handed over at the end",
        "  packhorse loadtest run --span 30d --sink null --threads 2",
        "      how fast this machine generates and packs, storing nothing",
        "  packhorse verify --span 1d",
        "      reads everything back and compares each point",
      })
  static final class Run implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Mixin private final WalkOptions walk = new WalkOptions();
    @Mixin private final LoadOptions load = new LoadOptions();
    @Mixin private final TargetOptions target = new TargetOptions();
    @Mixin private final JsonOption json = new JsonOption();

    @Option(
        names = "--sink",
        paramLabel = "KIND",
        defaultValue = "puts",
        converter = SinkKind.Converter.class,
        description =
            "puts: into HBase, with the write-ahead log; hfiles: written beside HBase and handed over"
                + " at the end, for large loads; null: measure without storing"
                + " (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private SinkKind sink;

    @Override
    public Integer call() throws StoreException, IOException, InterruptedException {
      WalkSpec spec = walk.spec();
      PrintWriter err = command.commandLine().getErr();
      PrintWriter out = command.commandLine().getOut();
      err.printf(
          "loadtest  %s sensors x %s points, %s cells, %s, %d threads%n",
          Figures.count(spec.sensors()),
          Figures.count(spec.points()),
          load.form().name().toLowerCase(Locale.ROOT),
          sink.shown(),
          load.threads());
      LoadOutcome outcome = load(spec, err);
      Map<String, Object> settings = walk.json(spec, load);
      settings.put("sink", sink.name().toLowerCase(Locale.ROOT));
      json.print(out, "loadtest run", settings, outcome.json(), () -> outcome.print(out));
      return ExitCode.OK.code();
    }

    private LoadOutcome load(WalkSpec spec, PrintWriter err)
        throws StoreException, IOException, InterruptedException {
      if (sink == SinkKind.NULL) {
        try (Destination nowhere = Destination.nowhere()) {
          return WalkLoad.run(nowhere, spec, load.form(), load.threads(), err);
        }
      }
      target.checkRoom(spec.totalPoints() * load.estimatedBytesPerPoint(), sink);
      try (Target to = target.open(err)) {
        if (sink == SinkKind.HFILES) {
          try (Destination files = Destination.hfiles(to, load.form(), load.threads(), true, err)) {
            return WalkLoad.runInRowOrder(files, spec, load.form(), load.threads(), err);
          }
        }
        try (Destination puts = Destination.puts(to)) {
          return WalkLoad.run(puts, spec, load.form(), load.threads(), err);
        }
      }
    }
  }
}
