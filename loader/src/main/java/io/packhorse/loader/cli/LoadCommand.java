package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource.Input;
import io.packhorse.loader.source.Rejects;
import io.packhorse.loader.store.StoreException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code load}: text files in OpenTSDB's import format into a store. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Load files of import lines: metric timestamp value tag=value ...",
      "Timestamps in seconds or milliseconds. Lines that are no points are kept out of the store,"
          + " counted, and written to a file with place and reason.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse load january.txt february.txt.gz",
      "      two files into the embedded store, started if need be; gzip is recognised",
      "  zcat archive/*.gz | packhorse load -",
      "      what another program writes",
      "  packhorse load --max-rejects 0.1% january.txt",
      "      stops if more than one line in a thousand is no point",
      "  packhorse load --sink null january.txt",
      "      reads and packs everything and stores nothing: finds bad lines beforehand",
    })
final class LoadCommand implements Callable<Integer>, Resumable {
  private static final String STANDARD_INPUT = "-";
  private static final String REJECTS = "rejects.tsv";

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files of import lines, plain or gzip, or - for standard input.")
  @SuppressWarnings("NullAway.Init")
  private List<String> files;

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
              + " at the end, for large loads; null: read and pack without storing"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private SinkKind sink;

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

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    List<Input> inputs = inputs();
    if (sink == SinkKind.NULL) {
      Path file = rejectsFile == null ? Path.of(REJECTS) : rejectsFile;
      checkWritable(file);
      try (Destination nowhere = Destination.nowhere()) {
        return load(nowhere, inputs, new Rejects(file), Optional.empty(), () -> {});
      }
    }
    List<JobInput> read = jobInputs();
    new LoadedBefore(target.jobs(), load.form()).refuse(read, Optional.ofNullable(replaced));
    try (Target to = target.open(err());
        LoadJob job =
            LoadJob.begin(command, to, target, load, sink, read, read.size() == inputs.size())) {
      return load(to, inputs, job, target);
    }
  }

  @Override
  public int resume(Job resumed, TargetOptions where)
      throws JobException, StoreException, IOException, InterruptedException {
    List<Input> inputs = inputs();
    List<JobInput> read = jobInputs();
    try (Target to = where.open(err())) {
      return load(to, inputs, LoadJob.resume(resumed, to, where, load, read, command), where);
    }
  }

  @Override
  public void repeat(Destination comparing) throws IOException {
    LoadOutcome unused =
        new LineLoad(comparing, inputs(), Rejects.counted(), RejectBudget.UNLIMITED, load, err())
            .run(Optional.empty());
  }

  private int load(Target to, List<Input> inputs, LoadJob job, TargetOptions where)
      throws JobException, StoreException, IOException, InterruptedException {
    Path file = job.job().rejects(Optional.ofNullable(rejectsFile));
    checkWritable(file);
    Rejects rejects = new Rejects(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (replaced == null) {
      return load(to, inputs, rejects, Optional.of(job), () -> {});
    }
    try (Job old = where.jobs().open(replaced)) {
      Rollback rollback = new Rollback(old, to, err());
      return load(to, inputs, rejects, Optional.of(job), rollback::run);
    }
  }

  private int load(
      Target to, List<Input> inputs, Rejects rejects, Optional<LoadJob> job, Afterwards afterwards)
      throws IOException {
    if (job.isPresent() && job.get().isWritten()) {
      try (rejects) {
        Destination.completeFiles(to, load.form(), job.get());
        Map<String, Long> reasons = job.get().job().history().rejected();
        return finish(job.get().outcomeOfWritten(), reasons, rejects, job, afterwards);
      }
    }
    try (Destination stored =
        sink == SinkKind.HFILES
            ? Destination.hfiles(to, load.form(), load.threads(), false, err())
            : Destination.puts(to)) {
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
      throws IOException {
    try (rejects) {
      LoadOutcome outcome = new LineLoad(stored, inputs, rejects, budget, load, err()).run(job);
      // On disk before anyone is told that they are there.
      rejects.close();
      Map<String, Long> reasons = new LinkedHashMap<>();
      job.ifPresent(on -> reasons.putAll(on.job().rejectedBefore()));
      rejects.byReason().forEach((why, lines) -> reasons.merge(why.toString(), lines, Long::sum));
      return finish(outcome, reasons, rejects, job, afterwards);
    } catch (ImportLinesException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
  }

  private int finish(
      LoadOutcome outcome,
      Map<String, Long> reasons,
      Rejects rejects,
      Optional<LoadJob> job,
      Afterwards afterwards)
      throws IOException {
    Map<String, Object> result = result(outcome, reasons, rejects);
    job.ifPresent(on -> result.put("job", on.job().manifest().id()));
    afterwards.run();
    if (job.isPresent()) {
      job.get().finish(outcome, reasons, result);
    }
    json.print(
        command.commandLine().getOut(),
        "load",
        settings(),
        result,
        () -> outcome.print(command.commandLine().getOut()));
    warn(outcome, reasons, rejects);
    return (outcome.rejected() == 0 ? ExitCode.OK : ExitCode.REJECTS).code();
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Looks at every file, before the first point is loaded. */
  private List<Input> inputs() throws IOException {
    List<Input> inputs = new ArrayList<>();
    boolean standardInputSeen = false;
    for (String file : files) {
      if (!file.equals(STANDARD_INPUT)) {
        Path path = readable(file);
        inputs.add(new Input(file, () -> Files.newInputStream(path)));
      } else if (standardInputSeen) {
        throw refused("Standard input (-) can be read only once");
      } else {
        standardInputSeen = true;
        inputs.add(new Input("(standard input)", LoadCommand::standardInput));
      }
    }
    return inputs;
  }

  /** The files among the inputs that can be read again. */
  private List<JobInput> jobInputs() throws IOException {
    List<JobInput> read = new ArrayList<>();
    for (String file : files) {
      if (!file.equals(STANDARD_INPUT) && Files.isRegularFile(path(file))) {
        read.add(JobInput.of(file, path(file)));
      }
    }
    return read;
  }

  /** A channel, because a thread that waits in {@code System.in} cannot be interrupted. */
  private static InputStream standardInput() {
    return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
  }

  private Path readable(String file) throws IOException {
    Path path = path(file);
    if (!Files.exists(path)) {
      throw refused("There is no file " + file);
    }
    if (Files.isDirectory(path)) {
      throw refused(file + " is a directory: name the files in it");
    }
    if (!Files.isReadable(path)) {
      throw refused("You may not read " + file);
    }
    Path rejects = rejectsFile == null ? Path.of(REJECTS) : rejectsFile;
    if (Files.exists(rejects) && Files.isSameFile(path, rejects)) {
      throw refused(
          "Rejected lines would overwrite " + file + ": name another file with --rejects");
    }
    return path;
  }

  private static Path path(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw refused("'" + file + "' is not a file name: " + e.getReason());
    }
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

  private static CommandException refused(String why) {
    return new CommandException(ExitCode.USAGE, why + "; nothing was loaded.");
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", files);
    settings.put("cells", load.form().name().toLowerCase(Locale.ROOT));
    settings.put("threads", load.threads());
    settings.put("sink", sink.name().toLowerCase(Locale.ROOT));
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

  private void warn(LoadOutcome outcome, Map<String, Long> reasons, Rejects rejects) {
    if (outcome.rejected() == 0) {
      return;
    }
    err()
        .printf(
            "REJECTED  %s lines are not in the store; %s has each with its place and reason%n",
            Figures.count(outcome.rejected()), rejects.file());
    reasons.forEach((reason, lines) -> err().printf("%10s  %s%n", Figures.count(lines), reason));
    rejects.first().forEach(reject -> err().println("  " + reject));
    if (outcome.rejected() > rejects.first().size()) {
      err().println("  ...");
    }
  }
}
