package io.packhorse.loader.cli;

import io.packhorse.loader.export.DirectoryTarget;
import io.packhorse.loader.export.ExportTarget;
import io.packhorse.loader.export.ImportLines;
import io.packhorse.loader.export.JsonLines;
import io.packhorse.loader.export.LineProtocol;
import io.packhorse.loader.export.StreamTarget;
import io.packhorse.loader.export.TableTarget;
import io.packhorse.loader.export.TextFormat;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.Export;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.PointSelection;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code export}: stored points as text. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Write stored points as text or Parquet files, in forms that load reads again.",
      "Points are those a query answers with: OpenTSDB's own columns and packed cells are merged, and"
          + " of equal times the newest counts. Each is written once, with its kind and every bit. The"
          + " regions of the table are read in parallel.",
    },
    footer = {
      "",
      "Annotations and histograms stay in the store; they are counted. A column that cannot be read is",
      "left out, counted and listed, and the exit code is 3. Lines come in no particular order, but in",
      "a file each series is in order of time.",
      "",
      "Examples:",
      "  packhorse export --metric sys.cpu.user --from 2024-01-01 --to 2024-02-01 > january.txt",
      "  packhorse export --metric sys.cpu.user --where 'host=web1|web2' --where 'cpu=*' | head",
      "      series of two hosts that have a tag cpu",
      "  packhorse export --out backup",
      "      everything, a file for each region",
      "  packhorse export --metric temp --format parquet --out temp",
      "      columns metric, time, value and one for each tag, for DuckDB, pandas, Spark",
      "  packhorse export --metric temp --from 2024-01-01 | ssh edge packhorse load --format opentsdb -",
    })
final class ExportCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  /** By the names that load has for them. */
  private enum Format {
    OPENTSDB,
    JSONL,
    LINE,
    CSV,
    PARQUET;

    private Optional<TextFormat> text() {
      return switch (this) {
        case OPENTSDB -> Optional.of(new ImportLines());
        case JSONL -> Optional.of(new JsonLines());
        case LINE -> Optional.of(new LineProtocol());
        case CSV, PARQUET -> Optional.empty();
      };
    }
  }

  @Mixin private final SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Before this time.")
  private @Nullable Instant to;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "opentsdb",
      description =
          "opentsdb, import lines for tsdb import and telnet put; jsonl, OpenTSDB's JSON in lines;"
              + " line, InfluxDB's line protocol; csv and parquet, tables, need --out (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Directory for the files, new or empty. A file that is not complete ends in .partial"
              + " (default: standard output).")
  private @Nullable Path out;

  @Option(
      names = "--resume",
      description =
          "Go on with the export of a --out that was stopped: what it has of complete regions stays."
              + " Repeat the other options.")
  private boolean resume;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      converter = ShardOption.Converter.class,
      description =
          "Only the I-th of N ranges of hours between --from and --to. Each of N processes is given the"
              + " same command but for I, and a --out of its own, on any machine.")
  private JobShard shard = JobShard.WHOLE;

  @Option(
      names = "--broken",
      paramLabel = "FILE",
      description =
          "Write each column that cannot be read here: row key, column and reason, separated by"
              + " tabs.")
  private @Nullable Path broken;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    if (out == null && json.isAsked()) {
      throw new ParameterException(
          command.commandLine(),
          "--json prints the result on standard output, where the points go: add --out DIR.");
    }
    long started = System.nanoTime();
    Export.Result result = export();
    double seconds = (System.nanoTime() - started) / 1e9;
    ExitCode ended = result.broken() == 0 ? ExitCode.OK : ExitCode.REJECTS;
    json.print(
        command,
        ended,
        settings(),
        ExportPrinter.json(result, seconds),
        () -> ExportPrinter.print(result, seconds, Optional.ofNullable(broken), beside()));
    return ended.code();
  }

  private Export.Result export() throws StoreException, IOException, InterruptedException {
    PointSelection wanted = selection.selection(to).shard(shard, "--to");
    ExportTarget exportTo = exportTo();
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection store = target.address().open(announcer)) {
      return new Export(store, announcer)
          .run(wanted, exportTo, Optional.ofNullable(broken), folder());
    }
  }

  private Optional<Export.Folder> folder() {
    return Optional.ofNullable(out).map(dir -> new Export.Folder(dir, word(format), resume));
  }

  /** Where the result goes, which must not mix with points. */
  private PrintWriter beside() {
    return out == null ? command.commandLine().getErr() : command.commandLine().getOut();
  }

  private ExportTarget exportTo() throws IOException {
    Path directory = out;
    if (directory == null) {
      if (resume) {
        throw new ParameterException(
            command.commandLine(), "--resume needs --out DIR, the directory of that export.");
      }
      return new StreamTarget(
          format
              .text()
              .orElseThrow(
                  () ->
                      new ParameterException(
                          command.commandLine(),
                          "--format " + word(format) + " makes files: add --out DIR for them.")),
          new FileOutputStream(FileDescriptor.out));
    }
    if (!resume) {
      create(directory);
    }
    return format
        .text()
        .<ExportTarget>map(text -> new DirectoryTarget(text, directory))
        .orElseGet(
            () ->
                format == Format.CSV ? TableTarget.csv(directory) : TableTarget.parquet(directory));
  }

  private static void create(Path directory) {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> files = Files.list(directory)) {
        if (files.findAny().isPresent()) {
          throw new OperationException(
              OperationException.Kind.REFUSED,
              "--out "
                  + directory
                  + " is not empty: name a new directory, or --resume what was begun there.");
        }
      }
    } catch (IOException e) {
      throw new OperationException(
          OperationException.Kind.REFUSED,
          "Cannot make the directory --out " + directory + ": " + Causes.sentence(e) + ".",
          e);
    }
  }

  private static String word(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    selection.putInto(settings);
    settings.put("to_ms", to == null ? null : to.toEpochMilli());
    settings.put("shard", shard.toString());
    settings.put("format", word(format));
    settings.put("resume", resume);
    settings.put("out", out == null ? null : out.toString());
    return settings;
  }
}
