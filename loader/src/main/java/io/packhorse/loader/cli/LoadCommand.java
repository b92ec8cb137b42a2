package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobShards;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.Rejects;
import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.RejectsException;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
      "Load files of points: OpenTSDB import lines and JSON, InfluxDB line protocol, tables (CSV, TSV),"
          + " OpenMetrics and Prometheus text, Parquet files.",
      "What is no point is kept out of the store, counted, and written to a file with place and"
          + " reason.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse load january.txt february.txt.gz",
      "      two files into the embedded store, started if need be; gzip is recognised",
      "  packhorse load 'archive/**.zst' --rename-tag hostname=host --from 2024-01-01",
      "      all that is packed with zstd in a directory and below, from a day on",
      "  zcat archive/*.gz | packhorse load -",
      "      what another program writes",
      "  packhorse load --max-rejects 0.1% january.txt",
      "      stops if more than one line in a thousand is no point",
      "  packhorse load --dry-run --save-mapping plant.json plant.csv",
      "      how a table would be read and how large it becomes; then --mapping plant.json",
      "  packhorse load --sink hfiles --stage /mnt/stick/january january.txt",
      "      HFiles to carry to the cluster; there: packhorse hfile complete DIR",
      "  packhorse load 'archive/**.gz' --job archive --shard 2/4",
      "      the second of four loaders, each started with its own number, anywhere",
      "  packhorse load --sink null january.txt",
      "      reads and packs everything and stores nothing: finds bad lines beforehand",
    })
final class LoadCommand implements Callable<Integer>, Resumable {
  private static final String REJECTS = "rejects.tsv";

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "INPUT",
      arity = "1..*",
      description =
          "Files, directories with all that is in them, patterns such as 'archive/**.gz', @FILE for a"
              + " list of such words, one a line, or - for standard input. Plain, gzip or zstd,"
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
          "Where rejected lines go; made with the first one"
              + " (default: rejects.tsv in the job's folder; with --sink null in this one).")
  private @Nullable Path rejectsFile;

  @Option(
      names = "--max-rejects",
      paramLabel = "N|N%",
      converter = RejectBudget.Converter.class,
      description =
          "Stop when more lines than this, or than this share of them, are no points; a share is"
              + " judged from 10,000 lines on (default: no limit).")
  private RejectBudget budget = RejectBudget.UNLIMITED;

  @Option(
      names = "--replace",
      paramLabel = "JOB",
      description =
          "Load files that this job has loaded, and remove what it stored when they are loaded.")
  private @Nullable String replaced;

  @Option(
      names = "--dry-run",
      description =
          "Say what would be loaded, by the first 64 MiB of each input, and store nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    if ((load.stage().isPresent() || !load.job().shard().isWhole()) && replaced != null) {
      throw new ParameterException(
          command.commandLine(),
          "--replace goes with neither --stage nor --shard: roll that job back when this one is"
              + " loaded.");
    }
    List<Input> inputs = inputs();
    if (dryRun) {
      return plan(inputs);
    }
    if (load.sink() == SinkKind.NULL) {
      Path file = rejectsFile == null ? Path.of(REJECTS) : rejectsFile;
      checkWritable(file);
      try (Destination nowhere = Destination.nowhere()) {
        return load(nowhere, inputs, new Rejects(file), Optional.empty(), () -> {});
      }
    }
    if (rejectsFile != null && !load.job().shard().isWhole()) {
      throw new ParameterException(
          command.commandLine(),
          "--rejects does not go with --shard: each shard has a file of its own, rejects.tsv in its"
              + " folder.");
    }
    List<JobInput> read = jobInputs(inputs);
    Set<String> except = new HashSet<>(load.job().id().stream().toList());
    except.addAll(replaced == null ? Set.of() : Set.of(replaced));
    try (Target to = target.openToLoad(err(), load.form(), load.meta())) {
      new LoadedBefore(target.jobs(), LoadJob.storeOf(to), load.form()).refuse(read, except);
      try (LoadJob job =
          LoadJob.begin(
              command, to, target, load, read, settingFiles(), read.size() == inputs.size())) {
        return load(to, inputs, job, target);
      }
    }
  }

  @Override
  public int resume(Job resumed, TargetOptions where)
      throws JobException, StoreException, IOException, InterruptedException {
    List<Input> inputs = inputs();
    List<JobInput> read = jobInputs(inputs);
    try (Target to = where.openToLoad(err(), load.form(), load.meta())) {
      return load(
          to,
          inputs,
          LoadJob.resume(resumed, to, where, load, read, settingFiles(), command),
          where);
    }
  }

  @Override
  public void repeat(Manifest manifest, Destination comparing)
      throws IOException, InterruptedException {
    List<Input> inputs = inputs();
    Optional<String> why = LoadJob.otherInputs(manifest, jobInputs(inputs), settingFiles());
    if (why.isPresent()) {
      throw JobVerification.refused(manifest, why.get() + "; --level counts needs no input");
    }
    Rejects rejects = Rejects.counted();
    LoadOutcome unused =
        new LineLoad(
                comparing,
                inputs,
                source,
                new Points(source.spec().rules(), rejects),
                rejects,
                RejectBudget.UNLIMITED,
                load,
                err())
            .run(Optional.empty());
  }

  private int plan(List<Input> inputs) throws IOException, InterruptedException {
    SourceSpec spec = source.spec();
    Rejects rejects = Rejects.counted();
    SeriesNames names = new SeriesNames();
    Points points = new Points(spec.rules(), rejects);
    try (DryRun run = new DryRun(target.plannedLayout(), load.form(), names, points)) {
      Plan plan = run.plan(inputs, source.formats(spec, names, err()));
      PrintWriter out = command.commandLine().getOut();
      json.print(out, "load", settings(), plan.json(), () -> plan.print(out));
    } catch (InputException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
    Map<String, Long> reasons = new LinkedHashMap<>();
    rejects.byReason().forEach((why, lines) -> reasons.put(why.toString(), lines));
    warn(rejects.total(), reasons, rejects);
    return ExitCode.OK.code();
  }

  private int load(Target to, List<Input> inputs, LoadJob job, TargetOptions where)
      throws JobException, StoreException, IOException, InterruptedException {
    if (rejectsFile != null) {
      checkWritable(rejectsFile);
    }
    Path file = job.job().rejects(Optional.ofNullable(rejectsFile), this::sayMissed);
    Rejects rejects = new Rejects(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (replaced == null) {
      return load(to, inputs, rejects, Optional.of(job), () -> {});
    }
    try (JobShards old = JobShards.open(where.jobs(), replaced, Optional.empty())) {
      Rollback rollback = new Rollback(old, to, err());
      return load(to, inputs, rejects, Optional.of(job), rollback::run);
    }
  }

  private int load(
      Target to, List<Input> inputs, Rejects rejects, Optional<LoadJob> job, Afterwards afterwards)
      throws JobException, IOException, InterruptedException {
    if (job.isPresent() && job.get().isWritten()) {
      try (rejects) {
        LoadOutcome loaded = job.get().outcomeOfWritten();
        Map<String, Long> reasons = job.get().job().history().rejected();
        return HFileCompletion.ofJob(to, load, job.get().job().manifest(), err())
            .complete(
                job.get(),
                load.meta(),
                () -> finish(loaded, 0, reasons, rejects, job, Optional.empty(), afterwards));
      }
    }
    try (Destination stored =
        load.sink() == SinkKind.HFILES
            ? Destination.hfiles(to, load, load.threads(), false, err())
            : Destination.puts(to, load.form(), load.durability(), load.meta(), load.pace())) {
      return load(stored, inputs, rejects, job, afterwards);
    }
  }

  /** What is done when everything is stored, before the job says so. */
  private interface Afterwards {
    void run() throws IOException;
  }

  private int load(
      Destination stored,
      List<Input> inputs,
      Rejects rejects,
      Optional<LoadJob> job,
      Afterwards afterwards)
      throws IOException, InterruptedException {
    try (rejects) {
      Points points = new Points(source.spec().rules(), rejects);
      LoadOutcome outcome =
          new LineLoad(stored, inputs, source, points, rejects, budget, load, err()).run(job);
      // On disk before anyone is told that they are there.
      rejects.close();
      Map<String, Long> reasons = new LinkedHashMap<>();
      job.ifPresent(on -> reasons.putAll(on.job().rejectedBefore()));
      rejects.byReason().forEach((why, lines) -> reasons.merge(why.toString(), lines, Long::sum));
      return finish(outcome, points.leftOut(), reasons, rejects, job, load.stage(), afterwards);
    } catch (RejectsException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          e.getMessage() + "; " + job.map(LoadJob::goOn).orElse("make room and run it again."),
          e);
    } catch (InputException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
  }

  private int finish(
      LoadOutcome outcome,
      long leftOut,
      Map<String, Long> reasons,
      Rejects rejects,
      Optional<LoadJob> job,
      Optional<URI> stage,
      Afterwards afterwards)
      throws IOException {
    Map<String, Object> result = result(outcome, reasons, rejects);
    result.put("left_out", leftOut);
    job.ifPresent(on -> result.put("job", on.job().manifest().id()));
    afterwards.run();
    if (job.isPresent()) {
      job.get().finish(outcome, reasons, result, stage);
      sayClassesAreWhole();
    }
    json.print(
        command.commandLine().getOut(),
        "load",
        settings(),
        result,
        () -> print(LoadJob.done(stage), outcome, leftOut, command.commandLine().getOut()));
    LoadJob.sayStage(stage, err());
    if (outcome.rejected() > 0) {
      err()
          .printf(
              "REJECTED  %s lines or fields are not in the store; %s has each with its place and"
                  + " reason%n",
              Figures.count(outcome.rejected()), rejects.file());
    }
    warn(outcome.rejected(), reasons, rejects);
    return (outcome.rejected() == 0 ? ExitCode.OK : ExitCode.REJECTS).code();
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Finds every input, before the first point is loaded. */
  private List<Input> inputs() throws IOException {
    try {
      Path rejects = rejectsFile == null ? Path.of(REJECTS) : rejectsFile;
      return load.job().shard().of(InputFiles.named(files, rejects));
    } catch (InputException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** The files among the inputs that can be read again. */
  private static List<JobInput> jobInputs(List<Input> inputs) throws IOException {
    List<JobInput> read = new ArrayList<>();
    for (Input input : inputs) {
      if (input.isPlainFile()) {
        read.add(JobInput.of(input.name(), Path.of(input.name())));
      }
    }
    return read;
  }

  /** The files that say how inputs are read. */
  private List<JobInput> settingFiles() throws IOException {
    // Refuses one that is no mapping.
    SourceSpec unused = source.spec();
    Optional<Path> mapping = source.mapping();
    return mapping.isEmpty()
        ? List.of()
        : List.of(JobInput.of(mapping.get().toString(), mapping.get()));
  }

  private static void checkWritable(Path rejects) {
    Path directory = rejects.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(rejects)
            ? Files.isWritable(rejects) && !Files.isDirectory(rejects)
            : directory != null && Files.isWritable(directory);
    if (!writable) {
      throw refused(
          "Rejected lines cannot be written to " + rejects + ": name a file with --rejects");
    }
  }

  private void sayMissed(long lines) {
    err()
        .printf(
            "rejects   the file with the %s rejected before was removed or replaced; others follow"
                + " behind what is there%n",
            Figures.count(lines));
  }

  private static CommandException refused(String why) {
    return new CommandException(ExitCode.USAGE, why + "; nothing was loaded.");
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("inputs", files);
    settings.put("cells", load.form().name().toLowerCase(Locale.ROOT));
    settings.put("threads", load.threads());
    settings.put("sink", load.sink().name().toLowerCase(Locale.ROOT));
    return settings;
  }

  private static Map<String, Object> result(
      LoadOutcome outcome, Map<String, Long> reasons, Rejects rejects) {
    Map<String, Object> result = outcome.json();
    result.put("rejected_by_reason", reasons);
    if (outcome.rejected() > 0) {
      result.put("rejects_file", rejects.file().toString());
    }
    return result;
  }

  /** The launcher keeps the classes of this JVM for later ones, but only those of a whole load. */
  private static void sayClassesAreWhole() {
    String mark = System.getProperty("packhorse.classes");
    if (mark != null) {
      try {
        Files.write(Path.of(mark), new byte[0]);
      } catch (IOException e) {
        // The next load keeps its classes, then.
      }
    }
  }

  private static void print(String done, LoadOutcome outcome, long leftOut, PrintWriter out) {
    outcome.print(done, out);
    if (leftOut > 0) {
      out.println("left out  " + Figures.count(leftOut) + " points not asked for");
    }
  }

  /** Prints the reasons of rejects and the first few. */
  private void warn(long rejected, Map<String, Long> reasons, Rejects rejects) {
    reasons.forEach((reason, lines) -> err().printf("%10s  %s%n", Figures.count(lines), reason));
    if (Stream.of(Reason.TIME_TWICE, Reason.TIME_NEVER)
        .anyMatch(reason -> reasons.containsKey(reason.toString()))) {
      err()
          .println(
              "            --dst says what such times mean; where the clock is not changed in summer,"
                  + " name its offset: --time-zone=-08:00");
    }
    rejects.first().forEach(reject -> err().println("  " + reject));
    if (rejected > rejects.first().size()) {
      err().println("  ...");
    }
  }
}
