package io.packhorse.loader.cli;

import io.packhorse.loader.export.DirectoryTarget;
import io.packhorse.loader.export.ExportTarget;
import io.packhorse.loader.export.FileForm;
import io.packhorse.loader.export.ImportLines;
import io.packhorse.loader.export.JsonLines;
import io.packhorse.loader.export.LineProtocol;
import io.packhorse.loader.export.StreamTarget;
import io.packhorse.loader.export.TableFiles;
import io.packhorse.loader.export.TextFiles;
import io.packhorse.loader.export.TextFormat;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.Export;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.PointSelection;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.WideExport;
import io.packhorse.loader.store.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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
      "  packhorse export --metric temp --format csv-wide --from 2024-01-01 > temp.csv",
      "      a row for each time, a column for each series, for pandas and spreadsheets",
      "  packhorse export --metric temp --from 2024-01-01 | ssh edge packhorse load --format opentsdb -",
    })
final class ExportCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  /** By the names that load has for them, but for CSV_WIDE, which it does not read. */
  private enum Format {
    OPENTSDB,
    JSONL,
    LINE,
    CSV,
    CSV_WIDE,
    PARQUET;

    private Optional<TextFormat> text() {
      return switch (this) {
        case OPENTSDB -> Optional.of(new ImportLines());
        case JSONL -> Optional.of(new JsonLines());
        case LINE -> Optional.of(new LineProtocol());
        case CSV, CSV_WIDE, PARQUET -> Optional.empty();
      };
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static final class Converter implements ITypeConverter<Format> {
      @Override
      public Format convert(String text) {
        return Arrays.stream(values())
            .filter(format -> format.toString().equals(text.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new TypeConversionException(
                        "'"
                            + text
                            + "' is not a format: write "
                            + Arrays.stream(values())
                                .map(Format::toString)
                                .collect(Collectors.joining(", "))));
      }
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
      converter = Format.Converter.class,
      defaultValue = "opentsdb",
      description =
          "opentsdb, import lines for tsdb import and telnet put; jsonl, OpenTSDB's JSON in lines;"
              + " line, InfluxDB's line protocol; csv and parquet, tables, need --out; csv-wide, a row for"
              + " each time with a column for each series, needs --metric (default: ${DEFAULT-VALUE}).")
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
      names = "--hive",
      description =
          "Put the files into folders such as metric=sys.cpu.user/day=2024-01-31, which DuckDB, Spark"
              + " and others take for columns.")
  private boolean hive;

  @Option(
      names = "--integers",
      description =
          "The column value of Parquet has integers of 64 bits, not doubles. Hours with a fraction are"
              + " left out and listed.")
  private boolean integers;

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
      throw mistake(
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
    checkTogether();
    PointSelection wanted = selection.selection(to).shard(shard, "--to");
    Path directory = out;
    if (directory != null && !resume) {
      create(directory);
    }
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection store = target.address().open(announcer)) {
      Export export = new Export(store, announcer);
      return format == Format.CSV_WIDE
          ? new WideExport(export, wanted).run(wideTo(), Optional.ofNullable(broken), folder())
          : export.run(wanted, exportTo(), Optional.ofNullable(broken), folder());
    }
  }

  private Optional<Export.Folder> folder() {
    String form = format + (integers ? " --integers" : "") + (hive ? " --hive" : "");
    return Optional.ofNullable(out).map(dir -> new Export.Folder(dir, form, resume));
  }

  private void checkTogether() {
    if (integers && format != Format.PARQUET) {
      throw mistake("--integers is for --format parquet; other formats keep each value's kind.");
    }
    if (hive && format == Format.CSV_WIDE) {
      throw mistake("--hive and --format csv-wide exclude each other: each row has all metrics.");
    }
    if (out != null) {
      return;
    }
    if (resume) {
      throw mistake("--resume needs --out DIR, the directory of that export.");
    }
    if (hive) {
      throw mistake("--hive makes folders: add --out DIR for them.");
    }
    if (format == Format.CSV || format == Format.PARQUET) {
      throw mistake("--format " + format + " makes files: add --out DIR for them.");
    }
  }

  private ParameterException mistake(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  /** Where the result goes, which must not mix with points. */
  private PrintWriter beside() {
    return out == null ? command.commandLine().getErr() : command.commandLine().getOut();
  }

  private ExportTarget exportTo() {
    Path directory = out;
    if (directory == null) {
      return new StreamTarget(format.text().orElseThrow(), standardOutput());
    }
    FileForm form =
        format
            .text()
            .<FileForm>map(TextFiles::new)
            .orElseGet(
                () -> format == Format.CSV ? TableFiles.csv() : TableFiles.parquet(integers));
    return new DirectoryTarget(form, directory, hive, resume);
  }

  private WideExport.Outputs wideTo() {
    Path directory = out;
    if (directory == null) {
      return part -> StreamTarget.output(standardOutput());
    }
    return part -> DirectoryTarget.output(directory, part, "csv", resume);
  }

  private static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out);
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

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    selection.putInto(settings);
    settings.put("to_ms", to == null ? null : to.toEpochMilli());
    settings.put("shard", shard.toString());
    settings.put("format", format.toString());
    settings.put("hive", hive);
    settings.put("integers", integers);
    settings.put("resume", resume);
    settings.put("out", out == null ? null : out.toString());
    return settings;
  }
}
