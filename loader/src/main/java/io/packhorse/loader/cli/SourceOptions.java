package io.packhorse.loader.cli;

import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.PathTags;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.MappingFile;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.schema.key.BaseTime;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for how inputs are read, how series are named, and which points are loaded. */
final class SourceOptions {
  private static final int TAGS_MOST = 200;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--exclude",
      paramLabel = "PATTERN",
      description =
          "Leave files out: a pattern that fits a file's name, a folder's, or several names of a"
              + " path, such as '*.md', old or 'site1/*.csv'.")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "opentsdb: import lines; line: InfluxDB line protocol; csv: tables with any separator;"
              + " annotated-csv: what InfluxDB answers; jsonl: OpenTSDB JSON, in lines or an array;"
              + " query-json: what OpenTSDB's /api/query answers; openmetrics: OpenMetrics and"
              + " Prometheus text; parquet: Parquet files; auto: by what each input begins with"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String format;

  @Option(
      names = "--timestamp-unit",
      paramLabel = "UNIT",
      converter = UnitConverter.class,
      description =
          "s, ms, us or ns (default: in OpenTSDB's own formats by its rule, milliseconds from 2^32"
              + " on; in others detected at the beginning of each input, and shown).")
  private @Nullable TimestampUnit unit;

  @Option(
      names = "--timestamp",
      paramLabel = "TIME",
      description =
          "Time of lines without one, in line protocol and Prometheus text: now, or as --from"
              + " (default: such lines are rejected).")
  private @Nullable String timestamp;

  @Option(
      names = "--timestamp-format",
      paramLabel = "PATTERN",
      description =
          "How times in tables are written, if not as numbers: iso, or a pattern such as d/M/uuuu"
              + " HH:mm (default: detected).")
  private @Nullable String timestampFormat;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description =
          "Time zone of times in tables that name no zone, such as Europe/Oslo (default: UTC).")
  private @Nullable String zone;

  @Option(
      names = "--dst",
      paramLabel = "RULE",
      converter = DstConverter.class,
      description =
          "What to do with local times that occur twice or never when clocks are changed: reject"
              + " them, or read them with the offset earlier or later (default: reject).")
  private @Nullable Dst dst;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description =
          "What the columns of tables are, as --save-mapping writes it; what the file does not"
              + " say is detected. The"
              + " four options above override what it says about times.")
  private @Nullable Path mapping;

  @Option(
      names = "--save-mapping",
      paramLabel = "FILE",
      description =
          "Write what was detected about the first table, to be edited and given to --mapping.")
  private @Nullable Path savedMapping;

  @Mixin private final TableColumnOptions columns = new TableColumnOptions();

  @Option(
      names = "--skip-text-fields",
      description =
          "Leave text fields of line protocol out, instead of rejecting them; they are counted as"
              + " left out.")
  private boolean skipsText;

  @Option(
      names = "--booleans-as-numbers",
      description =
          "Store true and false as 1 and 0: in line protocol instead of rejecting them, in tables"
              + " also yes and no, on and off.")
  private boolean storesBooleans;

  @Option(
      names = "--metric-prefix",
      paramLabel = "PREFIX",
      defaultValue = "",
      description =
          "Put this before the name of every metric, such as plant. or, with the file's name,"
              + " '{file}.'")
  private String metricPrefix = "";

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
      description =
          "Add a tag to every series that does not have it. {file} stands for the file's name"
              + " without its ending, {dir} for the name of its folder: --add-tag"
              + " 'sensor={file}'.")
  private Map<String, String> addedTags = new LinkedHashMap<>();

  @Option(
      names = "--path-pattern",
      paramLabel = "PATTERN",
      description =
          "A regular expression for the end of each file's path, from the beginning of a name on."
              + " Its named groups become tags: '(?<site>[^/]+)/(?<sensor>[^/]+)[.]csv'. Folders"
              + " named key=value become tags without it.")
  private List<String> pathPatterns = new ArrayList<>();

  @Option(names = "--drop-tag", paramLabel = "KEY", description = "Leave a tag of the input out.")
  private Set<String> droppedTags = new HashSet<>();

  @Option(
      names = "--where",
      paramLabel = "KEY=VALUE",
      description =
          "Load only series with this tag, as it is stored. Repeated: a series must have every key"
              + " named, with one of the values named for it.")
  private List<String> where = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Load only points from here on: 2024-01-01 or 2024-01-01T06:00 in --time-zone,"
              + " 2024-01-01T06:00Z, or seconds.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Load only points before.")
  private @Nullable String to;

  @Option(
      names = "--max-tags",
      paramLabel = "N",
      defaultValue = "" + SeriesRules.TAGS_MAX,
      description =
          "Most tags of a series. A TSD reads any number, but writes to a series of more than 8"
              + " only with tsd.storage.max_tags (default: ${DEFAULT-VALUE}).")
  private int tagsMax;

  @Option(
      names = "--replace-characters",
      description =
          "Replace characters that OpenTSDB does not allow in names by underscores, instead of"
              + " rejecting the line.")
  private boolean replacesCharacters;

  /** Where the mapping of the first table is written, if anywhere. */
  Optional<Path> savedMapping() {
    return Optional.ofNullable(savedMapping);
  }

  /** What these options say; picocli's usage error if they do not fit together. */
  SourceSpec spec() {
    for (Map<String, String> pairs : List.of(renamedMetrics, renamedTags, addedTags)) {
      pairs.forEach((key, value) -> check(key, value));
    }
    checkPaths();
    if (tagsMax < 1 || tagsMax > TAGS_MOST) {
      throw refused("--max-tags must be 1 to " + TAGS_MOST);
    }
    TableOptions tables = tables();
    ZoneId local = ZoneId.of(tables.zone());
    long fromMs = from == null ? 0 : time("--from", from, local).toEpochMilli();
    long toMs = to == null ? Long.MAX_VALUE : time("--to", to, local).toEpochMilli();
    if (fromMs >= toMs) {
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
            fromMs,
            toMs,
            metricPrefix);
    return new SourceSpec(
        format(),
        Optional.ofNullable(unit),
        rules,
        tables,
        new FieldRules(skipsText, storesBooleans, timestampOfAll(local)),
        pathPatterns);
  }

  private Instant time(String option, String text, ZoneId local) {
    try {
      return StartTime.parse(text, local);
    } catch (IllegalArgumentException e) {
      throw refused(option + ": " + e.getMessage());
    }
  }

  private long timestampOfAll(ZoneId local) {
    if (timestamp == null) {
      return FieldRules.NONE;
    }
    if (timestamp.equals("now")) {
      return Instant.now().truncatedTo(ChronoUnit.SECONDS).toEpochMilli();
    }
    long millis = time("--timestamp", timestamp, local).toEpochMilli();
    if (millis < 1 || millis > BaseTime.MAX_MS) {
      throw refused("--timestamp must be in 1970 to 2106");
    }
    return millis;
  }

  /** Patterns of files that are not loaded. */
  List<String> exclude() {
    return exclude;
  }

  private void checkPaths() {
    try {
      addedTags.values().forEach(PathTags::checkPlaceholders);
      PathTags.checkPlaceholders(metricPrefix);
      pathPatterns.forEach(PathTags::checkPattern);
    } catch (PatternSyntaxException e) {
      throw refused("--path-pattern '" + e.getPattern() + "': " + e.getDescription());
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private TableOptions tables() {
    try {
      if (mapping != null && columns.isGiven()) {
        throw refused("--mapping states the columns: change the file instead of adding options");
      }
      if (mapping == null) {
        TableMapping.Time time = time(TableOptions.ISO_TIME);
        return new TableOptions(
            Optional.empty(),
            Optional.ofNullable(timestampFormat),
            time.zone(),
            time.dst(),
            columns.columns(),
            storesBooleans);
      }
      MappingFile file = MappingFile.read(mapping);
      TableMapping.Time time =
          time(
              new TableMapping.Time(
                  file.timeFormat().orElse(TableOptions.ISO_TIME.format()),
                  file.zone().orElse(TableOptions.ISO_TIME.zone()),
                  file.dst().orElse(TableOptions.ISO_TIME.dst())));
      return new TableOptions(
          file.whole()
              .map(whole -> whole.withTime(time))
              .map(whole -> storesBooleans ? whole.withBooleans() : whole),
          Optional.ofNullable(timestampFormat).or(file::timeFormat),
          time.zone(),
          time.dst(),
          file.whole().isPresent() ? ColumnOptions.NONE : file.stated(),
          storesBooleans || file.storesBooleans());
    } catch (InputException | IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** How times are written, by what the options say and else as it is given. */
  private TableMapping.Time time(TableMapping.Time otherwise) {
    String ofNumbers = unit == null ? otherwise.format() : unit.toString();
    return new TableMapping.Time(
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
