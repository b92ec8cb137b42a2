package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadInputs;
import io.packhorse.loader.load.LoadRequest;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.source.generated.GeneratedPoints;
import io.packhorse.loader.source.generated.WorkloadHistory;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loadtest}: fills a store with generated history. */
@Command(
    name = "loadtest",
    mixinStandardHelpOptions = true,
    description = {
      "Fill a store with generated history, drive it at a stated rate with readers beside, and judge.",
    },
    subcommands = {
      LoadTestInitCommand.class,
      LoadTestCommand.Fill.class,
      LoadTestRunCommand.class,
      LoadTestCompareCommand.class,
      LoadTestInchCommand.class
    },
    preprocessor = LoadTestCommand.OldSpelling.class,
    synopsisSubcommandLabel = "COMMAND")
final class LoadTestCommand {
  /** Reads {@code loadtest run} without a workload file as {@code loadtest fill}, its old name. */
  static final class OldSpelling implements IParameterPreprocessor {
    /** Options that {@code run} has as well. */
    private static final Set<String> STORE = Set.of("--dir", "--zookeeper", "--hbase-conf");

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's signature
    public boolean preprocess(
        Stack<String> args, CommandSpec command, @Nullable ArgSpec arg, Map<String, Object> info) {
      if (args.size() > 1 && args.peek().equals("run")) {
        boolean ofFill =
            args.stream()
                .map(each -> each.split("=", -1)[0])
                .anyMatch(each -> isOfFillAlone(each, command.subcommands()));
        if (ofFill || nameOnlyTheStore(args)) {
          args.pop();
          args.push("fill");
          ConsoleAnnouncer.of(command)
              .say(
                  "WARNING",
                  "loadtest run without a workload file is loadtest fill now; the next release"
                      + " will not read the old spelling");
        }
      }
      return false;
    }

    /** Whether all that follows the command says which store it is. */
    private static boolean nameOnlyTheStore(List<String> stack) {
      for (int at = stack.size() - 2; at >= 0; at--) {
        String word = stack.get(at);
        if (!STORE.contains(word.split("=", -1)[0])) {
          return false;
        }
        // What follows it is its value.
        at -= word.contains("=") ? 0 : 1;
      }
      return stack.size() > 1;
    }

    private static boolean isOfFillAlone(String option, Map<String, CommandLine> commands) {
      return has(commands.get("fill"), option) && !has(commands.get("run"), option);
    }

    private static boolean has(@Nullable CommandLine command, String option) {
      return command != null && command.getCommandSpec().optionsMap().containsKey(option);
    }
  }

  /** {@code loadtest fill}. */
  @Command(
      name = "fill",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Fill a store with generated history; every value follows from the seed.",
        "The history of a workload, so that loadtest run can read it and check its answers; or,"
            + " without FILE and --workload, the reference walk.",
      },
      footer = {
        "",
        "Examples:",
        "  packhorse loadtest fill production.yaml",
        "      the history of a workload file, into the embedded store, started if need be",
        "  packhorse loadtest fill --workload homes --sink hfiles",
        "      a year of ten thousand homes, 5.26 billion points",
        "  packhorse loadtest fill --span 1d",
        "      a day of 128 sensors",
        "  packhorse loadtest fill --span 1d --cells compacted",
        "      the same in OpenTSDB's own cells, readable by any stock TSD",
        "  packhorse loadtest fill --span 365d --sink hfiles",
        "      a year, written as HFiles beside HBase and bulk-loaded at the end",
        "  packhorse loadtest fill --span 365d --job year --shard 2/4",
        "      the second of four loaders, each started with its own number, anywhere",
        "  packhorse loadtest fill --span 30d --sink null --threads 2",
        "      how fast this machine generates and packs, storing nothing",
        "  packhorse verify --span 1d",
        "      reads everything back and compares each point",
      })
  static final class Fill implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Mixin private final WorkloadChoice choice = new WorkloadChoice();
    @Mixin private final WalkOptions walk = new WalkOptions();
    @Mixin private final TargetOptions target = new TargetOptions();
    @Mixin private final LoadOptions load = new LoadOptions();
    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws JobException, StoreException, IOException, InterruptedException {
      LoadInput.Generated input = input();
      GeneratedPoints spec = input.spec();
      LoadRequest request = load.request(input, null, LoadInputs.NONE, command, false);
      describe(spec, request.settings());
      StoreAddress store = target.address();
      store.checkRoom(
          spec.totalPoints() * load.estimatedBytesPerPoint(), request.settings().output());
      LoadResult result = new LoadRunner(store, ConsoleAnnouncer.of(command)).run(request);
      Map<String, Object> settings = settings(input);
      PrintWriter out = command.commandLine().getOut();
      json.print(
          command, ExitCode.OK, settings, result.json(), () -> LoadPrinter.print(result, out));
      LoadPrinter.warn(result, command.commandLine().getErr());
      return ExitCode.OK.code();
    }

    private Map<String, Object> settings(LoadInput.Generated input) {
      Map<String, Object> settings =
          input instanceof LoadInput.Walk made
              ? walk.json(made.spec(), load)
              : new LinkedHashMap<>();
      settings.putAll(choice.json());
      settings.put("sink", load.sink().toString());
      return settings;
    }

    /** This shard's part of the workload. */
    private LoadInput.Generated input() throws IOException {
      JobShard shard = load.job().shard();
      try {
        return choice.isGiven()
            ? new LoadInput.Workload(history().part(shard.number(), shard.count()))
            : new LoadInput.Walk(walk.spec().part(shard.number(), shard.count()));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
      }
    }

    private WorkloadHistory history() throws IOException {
      walk.refuseBeside(choice);
      Optional<WorkloadHistory> history = choice.read().history();
      return history.orElseThrow(
          () ->
              new OperationException(
                  Kind.USAGE,
                  choice + " has no history: add history: {from: 2025-01-01, span: 30d}."));
    }

    private void describe(GeneratedPoints spec, LoadSettings settings) {
      ConsoleAnnouncer.of(command)
          .say(
              "loadtest",
              String.format(
                  Locale.ROOT,
                  "%s series x %s points, %s cells, %s, %s%s",
                  HumanNumbers.count(spec.seriesCount()),
                  HumanNumbers.count(spec.points()),
                  settings.cells(),
                  settings.output(),
                  HumanNumbers.threads(settings.threads()),
                  load.job().shard().isWhole() ? "" : ", shard " + load.job().shard()));
    }
  }
}
