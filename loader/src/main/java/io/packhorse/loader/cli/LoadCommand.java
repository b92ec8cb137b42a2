package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.load.AnnouncingFormats;
import io.packhorse.loader.load.DryRun;
import io.packhorse.loader.load.InputSurvey;
import io.packhorse.loader.load.LoadEngine;
import io.packhorse.loader.load.LoadInputs;
import io.packhorse.loader.load.LoadPlan;
import io.packhorse.loader.load.LoadRequest;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code load}: files of points into a store. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Load files of points: OpenTSDB import lines and JSON, InfluxDB line protocol, tables (CSV,"
          + " TSV), OpenMetrics and Prometheus text, Parquet files.",
      "Lines that cannot be read as points are rejected: counted, and written to a file with place"
          + " and reason.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse load january.txt february.txt.gz",
      "      two files into the embedded store, started if need be; gzip is recognised",
      "  packhorse load 'archive/**.zst' --rename-tag hostname=host --from 2024-01-01",
      "      all zstd files in a directory and below, points from a day on",
      "  zcat archive/*.gz | packhorse load -",
      "      what another program writes",
      "  packhorse load --max-rejects 0.1% january.txt",
      "      stops if more than one line in a thousand is rejected",
      "  packhorse load --dry-run --save-mapping plant.json plant.csv",
      "      how a table would be read and how large it becomes; then --mapping plant.json",
      "  packhorse load --sink hfiles --stage /mnt/stick/january january.txt",
      "      HFiles to carry to the cluster; there: packhorse hfile complete DIR",
      "  packhorse load 'archive/**.gz' --job archive --shard 2/4",
      "      the second of four loaders, each started with its own number, anywhere",
      "  packhorse load --sink null january.txt",
      "      reads and packs everything and stores nothing: finds rejected lines beforehand",
    })
final class LoadCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "INPUT",
      arity = "1..*",
      description =
          "Files, directories with all that is in them, patterns such as 'archive/**.gz', @FILE for"
              + " a list of such words, one a line, or - for standard input. Plain, gzip or zstd,"
              + " known by content.")
  @SuppressWarnings("NullAway.Init")
  private List<String> files;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final LoadOptions load = new LoadOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "File for rejected lines, created with the first one"
              + " (default: rejects.tsv in the job's folder; with --sink null in the working"
              + " folder).")
  private @Nullable Path rejectsFile;

  @Option(
      names = "--max-rejects",
      paramLabel = "N|N%",
      converter = RejectBudgetConverter.class,
      description =
          "Stop when more lines than this, or a larger share of them, are rejected; a share is"
              + " checked from 10,000 lines on (default: no limit).")
  private RejectBudget budget = RejectBudget.UNLIMITED;

  @Option(
      names = "--max-replaced",
      paramLabel = "N|N%",
      converter = RejectBudgetConverter.class,
      description =
          "Stop when more points than this, or a larger share of them, have the series and time of"
              + " another point of the load, whose later value counts; a share is checked from"
              + " 10,000 points on (default: no limit, but exit code 8 above 1%%).")
  private @Nullable RejectBudget maxReplaced;

  @Option(
      names = "--replace",
      paramLabel = "JOB",
      description =
          "Load files that this job has loaded, and delete what it stored once they are loaded.")
  private @Nullable String replaced;

  @Option(
      names = "--allow-duplicate-input",
      description =
          "Load files whose content another file of the load has, or a job that has loaded it:"
              + " with other tags, or to replace its points.")
  private boolean duplicates;

  @Option(
      names = "--allow-many-values",
      paramLabel = "KEY",
      description =
          "Load a tag that seems to have a new value with nearly every line: each of them takes a"
              + " UID for ever.")
  private Set<String> manyValues = new HashSet<>();

  @Option(
      names = "--dry-run",
      description =
          "Show what would be loaded, judged by the first 64 MiB of each input, and store nothing.")
  private boolean dryRun;

  /** Runs the load; null for this process. */
  private final @Nullable LoadEngine engine;

  /** Loads in this process. */
  LoadCommand() {
    this(null);
  }

  /**
   * @param engine runs the load; null for this process
   */
  LoadCommand(@Nullable LoadEngine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    checkOptions();
    SourceSpec spec = source.spec();
    LoadInputs inputs = inputs(spec);
    if (dryRun) {
      return dryRun(spec, inputs);
    }
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    LoadRequest request = request(spec, inputs);
    LoadResult result =
        engine == null
            ? new LoadRunner(target.address(), announcer).run(request)
            : engine.run(target.address(), request, announcer);
    if (result.job().isPresent()) {
      ClassArchive.markComplete();
    }
    PrintWriter out = command.commandLine().getOut();
    ExitCode ended = ExitCode.of(result);
    json.print(command, ended, settings(), result.json(), () -> LoadPrinter.print(result, out));
    LoadPrinter.warn(result, command.commandLine().getErr());
    return ended.code();
  }

  private LoadRequest request(SourceSpec spec, LoadInputs inputs) {
    return load.request(
        new LoadInput.Files(spec, budget, maxReplaced, absolute(rejectsFile)),
        replaced,
        inputs,
        command,
        duplicates);
  }

  private void checkOptions() {
    boolean shard = !load.job().shard().isWhole();
    if ((load.stage().isPresent() || shard) && replaced != null) {
      throw usage(
          "--replace goes with neither --stage nor --shard: roll that job back when this one is"
              + " loaded.");
    }
    if (rejectsFile != null && shard && load.sink() != SinkKind.NULL) {
      throw usage(
          "--rejects does not go with --shard: each shard has a file of its own, rejects.tsv in its"
              + " folder.");
    }
  }

  private int dryRun(SourceSpec spec, LoadInputs inputs) throws IOException, InterruptedException {
    Rejects rejects = Rejects.counted();
    SeriesNames names = new SeriesNames();
    Points points = new Points(spec.rules(), rejects);
    PrintWriter out = command.commandLine().getOut();
    try (DryRun run = new DryRun(target.address().plannedRowKeys(), load.form(), names, points)) {
      LoadPlan plan =
          run.plan(
              inputs,
              new AnnouncingFormats(
                  new Formats(spec, names), inputs.saveMapping(), ConsoleAnnouncer.of(command)));
      json.print(command, ExitCode.OK, settings(), plan.json(), () -> PlanPrinter.print(plan, out));
      PlanPrinter.warn(plan, command.commandLine().getErr());
    } catch (InputException e) {
      throw new OperationException(Kind.USAGE, e.getMessage() + ".", e);
    }
    Map<String, Long> reasons = new LinkedHashMap<>();
    rejects.byReason().forEach((reason, lines) -> reasons.put(reason.toString(), lines));
    LoadPrinter.printRejects(
        rejects.total(), reasons, rejects.first(), command.commandLine().getErr());
    return ExitCode.OK.code();
  }

  /** Finds every input, before the first point is loaded. */
  private LoadInputs inputs(SourceSpec spec) throws IOException, InterruptedException {
    InputFiles.Selection found;
    try {
      Path rejects = rejectsFile == null ? Path.of(LoadRunner.REJECTS_FILE) : rejectsFile;
      found = InputFiles.select(files, rejects, source.exclude());
    } catch (InputException e) {
      throw new OperationException(Kind.USAGE, e.getMessage() + "; nothing was loaded.", e);
    }
    try {
      LoadInputs inputs =
          InputSurvey.of(
              found,
              spec,
              new InputSurvey.Accepted(duplicates, manyValues),
              source.savedMapping(),
              ConsoleAnnouncer.of(command));
      return inputs.with(load.job().shard().of(inputs.all()));
    } catch (InputException e) {
      throw new OperationException(Kind.USAGE, e.getMessage() + ".", e);
    }
  }

  private static @Nullable String absolute(@Nullable Path file) {
    return file == null ? null : file.toAbsolutePath().toString();
  }

  private ParameterException usage(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("inputs", files);
    settings.put("cells", load.form().toString());
    settings.put("threads", load.threads());
    settings.put("sink", load.sink().toString());
    return settings;
  }
}
