package io.packhorse.loader.cli;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.csv.CsvMapping;
import io.packhorse.loader.source.csv.Dst;
import io.packhorse.loader.source.csv.MappingFile;
import io.packhorse.loader.source.csv.TableSpec;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.SeriesRules;
import io.packhorse.loader.source.text.TimestampUnit;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say how inputs are read, what becomes of their names and what is left out. */
final class SourceOptions {
  private static final int TAGS_MOST = 200;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "opentsdb: import lines; line: InfluxDB line protocol; csv: tables with any separator;"
              + " jsonl: OpenTSDB JSON, in lines or an array; openmetrics: OpenMetrics and"
              + " Prometheus text; parquet: Parquet files; auto: by what each input begins with"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String format;

  @Option(
      names = "--timestamp-unit",
      paramLabel = "UNIT",
      converter = UnitConverter.class,
      description =
          "s, ms, us or ns (default: OpenTSDB's own formats have its rule, from 2^32 on they are"
              + " milliseconds; for others found out from the beginning of each input, and shown).")
  private @Nullable TimestampUnit unit;

  @Option(
      names = "--timestamp-format",
      paramLabel = "PATTERN",
      description =
          "How times in tables are written, if not as numbers: iso, or a pattern such as d/M/uuuu"
              + " HH:mm (default: found out).")
  private @Nullable String timestampFormat;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Zone of times in tables that say none, such as Europe/Oslo (default: UTC).")
  private @Nullable String zone;

  @Option(
      names = "--dst",
      paramLabel = "RULE",
      converter = DstConverter.class,
      description =
          "What such times mean that clocks show twice or never when they are changed: reject, or"
              + " what they mean by the offset earlier or later (default: reject).")
  private @Nullable Dst dst;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description =
          "What the columns of tables are, as --save-mapping writes it (default: found out). What the"
              + " four options above say of times counts more.")
  private @Nullable Path mapping;

  @Option(
      names = "--save-mapping",
      paramLabel = "FILE",
      description = "Write what was found out about the first table, to be changed and given back.")
  private @Nullable Path savedMapping;

  @Option(
      names = "--rename-metric",
      paramLabel = "OLD=NEW",
      description = "Store a metric under another name.")
  private Map<String, String> renamedMetrics = new LinkedHashMap<>();

  @Option(
      names = "--rename-tag",
      paramLabel = "OLD=NEW",
      description = "Store a tag under another key.")
  private Map<String, String> renamedTags = new LinkedHashMap<>();

  @Option(
      names = "--add-tag",
      paramLabel = "KEY=VALUE",
      description = "A tag for every series that has not got it.")
  private Map<String, String> addedTags = new LinkedHashMap<>();

  @Option(names = "--drop-tag", paramLabel = "KEY", description = "Leave a tag of the input out.")
  private Set<String> droppedTags = new HashSet<>();

  @Option(
      names = "--where",
      paramLabel = "KEY=VALUE",
      description =
          "Load only series with this tag, as it is stored; of several values of one key a series"
              + " must have one, of several keys all.")
  private List<String> where = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Load only points from here on: 2024-01-01, 2024-01-01T06:00Z or seconds.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Load only points before.")
  private @Nullable Instant to;

  @Option(
      names = "--max-tags",
      paramLabel = "N",
      defaultValue = "" + SeriesRules.TAGS_MAX,
      description =
          "Most tags of a series. A TSD reads any number, but writes to a series of more than 8 only"
              + " with tsd.storage.max_tags (default: ${DEFAULT-VALUE}).")
  private int tagsMax;

  @Option(
      names = "--replace-characters",
      description =
          "Store names with characters that OpenTSDB does not take with underscores instead, rather"
              + " than reject the line.")
  private boolean replacesCharacters;

  /** The file that says what the columns of tables are, if one was named. */
  Optional<Path> mapping() {
    return Optional.ofNullable(mapping);
  }

  /** What these options say; picocli's usage error if they do not fit together. */
  SourceSpec spec() {
    for (Map<String, String> pairs : List.of(renamedMetrics, renamedTags, addedTags)) {
      pairs.forEach((key, value) -> check(key, value));
    }
    if (tagsMax < 1 || tagsMax > TAGS_MOST) {
      throw refused("--max-tags must be 1 to " + TAGS_MOST);
    }
    if (from != null && to != null && !from.isBefore(to)) {
      throw refused("--from must be before --to: nothing would be loaded");
    }
    SeriesRules rules =
        new SeriesRules(
            renamedMetrics,
            renamedTags,
            addedTags,
            droppedTags,
            conditions(),
            replacesCharacters,
            tagsMax,
            from == null ? 0 : from.toEpochMilli(),
            to == null ? Long.MAX_VALUE : to.toEpochMilli());
    return new SourceSpec(format(), Optional.ofNullable(unit), rules, tables());
  }

  /**
   * The formats of inputs. Says how an input is read, once for all that are read alike, and saves
   * the mapping of the first table if it is to be saved.
   *
   * @param names gets every series
   */
  InputFormats formats(SourceSpec spec, SeriesNames names, PrintWriter err) {
    return new SaidFormats(new Formats(spec, names), savedMapping, err);
  }

  private TableSpec tables() {
    try {
      Optional<CsvMapping> read =
          mapping == null ? Optional.empty() : Optional.of(MappingFile.read(mapping));
      CsvMapping.Time time = time(read.map(CsvMapping::time).orElse(TableSpec.ISO_TIME));
      return new TableSpec(
          read.map(columns -> columns.withTime(time)),
          Optional.ofNullable(timestampFormat),
          time.zone(),
          time.dst());
    } catch (InputException | IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** How times are written, by what the options say and else as it is given. */
  private CsvMapping.Time time(CsvMapping.Time otherwise) {
    String ofNumbers = unit == null ? otherwise.format() : unit.toString();
    return new CsvMapping.Time(
        timestampFormat == null ? ofNumbers : timestampFormat,
        zone == null ? otherwise.zone() : zone,
        dst == null ? otherwise.dst() : dst);
  }

  private Optional<Format> format() {
    if (format.equals("auto")) {
      return Optional.empty();
    }
    for (Format known : Format.values()) {
      if (known.toString().equals(format)) {
        return Optional.of(known);
      }
    }
    throw refused(
        "'" + format + "' is not a format: write auto or one of " + List.of(Format.values()));
  }

  private void check(String key, @Nullable String value) {
    if (key.isEmpty() || value == null || value.isEmpty()) {
      throw refused("'" + key + "' needs a name on both sides of its equals sign");
    }
  }

  private Map<String, Set<String>> conditions() {
    Map<String, Set<String>> conditions = new HashMap<>();
    for (String condition : where) {
      int equals = condition.indexOf('=');
      if (equals < 1 || equals == condition.length() - 1) {
        throw refused("--where is tag=value, not '" + condition + "'");
      }
      conditions
          .computeIfAbsent(condition.substring(0, equals), key -> new HashSet<>())
          .add(condition.substring(equals + 1));
    }
    return conditions;
  }

  private ParameterException refused(String why) {
    return new ParameterException(command.commandLine(), why + ".");
  }
}
