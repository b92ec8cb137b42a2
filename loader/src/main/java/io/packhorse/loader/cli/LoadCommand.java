package io.packhorse.loader.cli;

import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource;
import io.packhorse.loader.source.ImportLinesSource.Input;
import io.packhorse.loader.source.Rejects;
import io.packhorse.loader.store.StoreException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code packhorse load}: text files in OpenTSDB's import format into the store. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Load files of import lines: metric timestamp value tag=value ...",
      "Timestamps in seconds or milliseconds; gzip is recognised; - is standard input.",
      "Lines that are no points are counted, written to the rejects file and kept out of the store."
    })
final class LoadCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files to load in turn, or -.")
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
      description = "puts, or null: read and pack, store nothing (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private SinkKind sink;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      defaultValue = "rejects.tsv",
      description =
          "Where rejected lines go; made, or replaced, with the first one"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Path rejectsFile;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    check();
    try (Rejects rejects = new Rejects(rejectsFile)) {
      LoadOutcome outcome = load(rejects);
      // The rejects are on disk before anyone reads how many there are.
      rejects.close();
      show(outcome, rejects);
      return ExitCode.OK.code();
    } catch (ImportLinesException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
  }

  private LoadOutcome load(Rejects rejects)
      throws StoreException, IOException, InterruptedException {
    if (sink == SinkKind.NULL) {
      try (Destination nowhere = Destination.nowhere()) {
        return load(nowhere, rejects);
      }
    }
    try (Target to = target.open(err);
        Destination puts = Destination.puts(to)) {
      return load(puts, rejects);
    }
  }

  private LoadOutcome load(Destination destination, Rejects rejects) throws ImportLinesException {
    SeriesNames names = new SeriesNames();
    LoadPipeline pipeline = destination.newPipeline(load.form(), destination.newResolver());
    try (ImportLinesSource source = new ImportLinesSource(inputs(), names, rejects)) {
      return new LoadRun(pipeline, rejects::total, 0, err)
          .run(running -> running.run(source, names, load.threads(), SealPolicy.FILES));
    } catch (CommandException e) {
      if (e.getCause() instanceof ImportLinesException) {
        throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private List<Input> inputs() {
    List<Input> inputs = new ArrayList<>();
    for (String file : files) {
      inputs.add(
          file.equals(STANDARD_INPUT)
              ? new Input("(standard input)", LoadCommand::standardInput)
              : new Input(file, () -> Files.newInputStream(Path.of(file))));
    }
    return inputs;
  }

  /** A channel, because a thread that waits in {@code System.in} cannot be interrupted. */
  private static InputStream standardInput() {
    return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
  }

  /** Looks at every file before the first point is loaded. */
  private void check() throws IOException {
    if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
      throw usage("Standard input (-) can be read once only.");
    }
    for (String file : files) {
      if (!file.equals(STANDARD_INPUT)) {
        check(file);
      }
    }
    Path directory = rejectsFile.toAbsolutePath().getParent();
    if (Files.isDirectory(rejectsFile) || directory == null || !Files.isWritable(directory)) {
      throw usage(
          "Rejected lines cannot be written to "
              + rejectsFile
              + ": name a file in a directory that you may write to with --rejects.");
    }
  }

  private void check(String file) throws IOException {
    Path path;
    try {
      path = Path.of(file);
    } catch (InvalidPathException e) {
      throw usage("'" + file + "' is not a file name: " + e.getReason() + ".");
    }
    if (!Files.exists(path)) {
      throw usage("There is no file " + file + "; nothing was loaded.");
    }
    if (Files.isDirectory(path)) {
      throw usage(file + " is a directory: name the files in it; nothing was loaded.");
    }
    if (!Files.isReadable(path)) {
      throw usage("You may not read " + file + "; nothing was loaded.");
    }
    if (Files.exists(rejectsFile) && Files.isSameFile(path, rejectsFile)) {
      throw usage(
          "Rejected lines would overwrite the input "
              + file
              + ": choose another file with --rejects; nothing was loaded.");
    }
  }

  private ParameterException usage(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  private void show(LoadOutcome outcome, Rejects rejects) throws IOException {
    json.print(
        out,
        "load",
        Map.of(
            "files",
            files,
            "cells",
            load.form().name().toLowerCase(Locale.ROOT),
            "threads",
            load.threads()),
        result(outcome, rejects),
        () -> outcome.print(out));
    if (rejects.total() > 0) {
      warn(rejects);
    }
  }

  private static Map<String, Object> result(LoadOutcome outcome, Rejects rejects) {
    Map<String, Object> json = outcome.json();
    Map<String, Long> reasons = new LinkedHashMap<>();
    rejects.byReason().forEach((reason, count) -> reasons.put(reason.toString(), count));
    json.put("rejects", reasons);
    if (rejects.total() > 0) {
      json.put("rejects_file", rejects.file().toString());
    }
    return json;
  }

  private void warn(Rejects rejects) {
    err.printf(
        "REJECTED  %s lines are NOT in the store; each is in %s with file, line and reason%n",
        Figures.count(rejects.total()), rejects.file());
    rejects
        .byReason()
        .forEach((reason, count) -> err.printf("%12s  %s%n", Figures.count(count), reason));
    err.println("  first of them:");
    rejects.first().forEach(reject -> err.println("    " + reject));
  }
}
