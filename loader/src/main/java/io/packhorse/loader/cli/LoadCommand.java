package io.packhorse.loader.cli;

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
      "  packhorse load --sink null january.txt",
      "      reads and packs everything and stores nothing: finds bad lines beforehand",
    })
final class LoadCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

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
      defaultValue = "rejects.tsv",
      description =
          "Where rejected lines go; made, or replaced, with the first one"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Path rejectsFile;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    PrintWriter out = command.commandLine().getOut();
    checkRejectsFile();
    try (Rejects rejects = new Rejects(rejectsFile)) {
      LoadOutcome outcome = load(inputs(), rejects, err);
      // On disk before anyone is told that they are there.
      rejects.close();
      json.print(out, "load", settings(), result(outcome, rejects), () -> outcome.print(out));
      warn(rejects, err);
    } catch (ImportLinesException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
    return ExitCode.OK.code();
  }

  private LoadOutcome load(List<Input> inputs, Rejects rejects, PrintWriter err)
      throws StoreException, IOException, InterruptedException {
    if (sink == SinkKind.NULL) {
      try (Destination nowhere = Destination.nowhere()) {
        return LineLoad.run(nowhere, inputs, rejects, load, err);
      }
    }
    try (Target to = target.open(err);
        Destination stored =
            sink == SinkKind.HFILES
                ? Destination.hfiles(to, load.form(), load.threads(), false, err)
                : Destination.puts(to)) {
      return LineLoad.run(stored, inputs, rejects, load, err);
    }
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
    if (Files.exists(rejectsFile) && Files.isSameFile(path, rejectsFile)) {
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

  private void checkRejectsFile() {
    Path directory = rejectsFile.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(rejectsFile)
            ? Files.isWritable(rejectsFile) && !Files.isDirectory(rejectsFile)
            : directory != null && Files.isWritable(directory);
    if (!writable) {
      throw refused(
          "Rejected lines cannot be written to " + rejectsFile + ": name a file with --rejects");
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

  private static Map<String, Object> result(LoadOutcome outcome, Rejects rejects) {
    Map<String, Object> result = outcome.json();
    Map<String, Long> reasons = new LinkedHashMap<>();
    rejects.byReason().forEach((reason, lines) -> reasons.put(reason.toString(), lines));
    result.put("rejected_by_reason", reasons);
    if (rejects.total() > 0) {
      result.put("rejects_file", rejects.file().toString());
    }
    return result;
  }

  private static void warn(Rejects rejects, PrintWriter err) {
    if (rejects.total() == 0) {
      return;
    }
    err.printf(
        "REJECTED  %s lines are not in the store; %s has each with its place and reason%n",
        Figures.count(rejects.total()), rejects.file());
    rejects
        .byReason()
        .forEach((reason, lines) -> err.printf("%10s  %s%n", Figures.count(lines), reason));
    rejects.first().forEach(reject -> err.println("  " + reject));
    if (rejects.total() > rejects.first().size()) {
      err.println("  ...");
    }
  }
}
