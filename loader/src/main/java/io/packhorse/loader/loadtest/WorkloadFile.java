package io.packhorse.loader.loadtest;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.packhorse.loader.source.generated.ValueKind;
import io.packhorse.loader.source.generated.WorkloadHistory;
import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads workload files: YAML with the keys that {@code loadtest init} writes. */
public final class WorkloadFile {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private static final ObjectMapper YAML =
      JsonMapper.builder(new YAMLFactory())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .addModule(
              new SimpleModule()
                  .addDeserializer(Duration.class, new SpanReader())
                  .addDeserializer(Limit.class, new LimitReader()))
          .build();

  /** As it is in the file; what is missing has a default. */
  private record Content(
      @Nullable String name,
      @Nullable Long seed,
      @Nullable Duration interval,
      @Nullable List<String> metrics,
      @Nullable LinkedHashMap<String, Integer> tags,
      @Nullable ValuesContent values,
      @Nullable HistoryContent history,
      @Nullable Integer batch,
      @Nullable Integer connections,
      @Nullable String loop,
      @Nullable Duration timeout,
      @Nullable Duration visibleWithin,
      @Nullable Phases phases,
      @Nullable List<ReaderContent> readers,
      @Nullable List<Limit> limits) {}

  private record ValuesContent(
      @Nullable ValueKind kind,
      @Nullable Long min,
      @Nullable Long max,
      @Nullable Long step,
      @Nullable Long hold,
      @Nullable Integer decimals,
      @Nullable OutliersContent outliers) {}

  private record OutliersContent(
      @Nullable Long series, @Nullable Long points, @Nullable Long value) {}

  private record HistoryContent(@Nullable String from, @Nullable Duration span) {}

  private record Phases(
      @Nullable Duration ramp, @Nullable Duration warmUp, @Nullable Duration hold) {}

  private record ReaderContent(
      @Nullable String name,
      @Nullable String aggregator,
      @Nullable String downsample,
      @Nullable Map<String, String> where,
      @Nullable String at,
      @Nullable Duration range,
      @Nullable Double rate) {}

  /** A file that is no workload; the message names file and line, and says what is allowed. */
  public static final class WorkloadException extends Exception {
    private static final long serialVersionUID = 1;

    private WorkloadException(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }

  private WorkloadFile() {}

  /** Reads a file. */
  public static Workload read(Path file) throws WorkloadException, IOException {
    return parse(Files.readString(file), file.toString());
  }

  /**
   * Reads the text of a file.
   *
   * @param name of the file, for messages
   */
  public static Workload parse(String text, String name) throws WorkloadException {
    try {
      Content content = YAML.readValue(text, Content.class);
      if (content == null) {
        throw new WorkloadException(name + " is empty: packhorse loadtest init writes one", null);
      }
      return workload(content);
    } catch (IllegalArgumentException e) {
      throw new WorkloadException(name + ": " + e.getMessage(), e);
    } catch (JsonProcessingException e) {
      throw new WorkloadException(name + ":" + line(text, e) + ": " + sentence(e), e);
    }
  }

  /** The parser has read on behind a key that is unknown, to its value or further. */
  private static int line(String text, JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    int line = location == null ? 1 : location.getLineNr();
    if (e instanceof UnrecognizedPropertyException unknown) {
      List<String> lines = text.lines().toList();
      Pattern key =
          Pattern.compile("(^|[\\s{,])" + Pattern.quote(unknown.getPropertyName()) + "\\s*:.*");
      for (int i = Math.min(line, lines.size()); i > 0; i--) {
        if (key.matcher(lines.get(i - 1)).find()) {
          return i;
        }
      }
    }
    return line;
  }

  private static String sentence(JsonProcessingException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      TreeSet<String> known = new TreeSet<>();
      unknown.getKnownPropertyIds().forEach(each -> known.add(String.valueOf(each)));
      return "unknown key "
          + unknown.getPropertyName()
          + "; allowed are "
          + String.join(", ", known);
    }
    String key =
        e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
            ? mapping.getPath().get(mapping.getPath().size() - 1).getFieldName()
            : null;
    return (key == null ? "" : key + ": ")
        + Objects.requireNonNullElse(e.getOriginalMessage(), "cannot be read")
            .lines()
            .findFirst()
            .orElse("");
  }

  private static Workload workload(Content content) {
    Phases phases = or(content.phases, new Phases(null, null, null));
    long seed = or(content.seed, 1L);
    Duration interval = or(content.interval, Duration.ofSeconds(1));
    WorkloadSeries series =
        new WorkloadSeries(
            given(content.metrics, "metrics"),
            given(content.tags, "tags").entrySet().stream()
                .map(tag -> new WorkloadSeries.Tag(tag.getKey(), tag.getValue()))
                .toList());
    WorkloadValues values =
        values(or(content.values, new ValuesContent(null, null, null, null, null, null, null)));
    return new Workload(
        or(content.name, "unnamed"),
        seed,
        interval,
        series,
        values,
        Optional.ofNullable(content.history)
            .map(of -> history(of, series, values, seed, interval.toMillis())),
        or(content.batch, 50),
        or(content.connections, 8),
        isClosed(or(content.loop, "open")),
        or(content.timeout, Duration.ofSeconds(10)),
        or(content.visibleWithin, Duration.ofSeconds(5)),
        or(phases.ramp, Duration.ZERO),
        or(phases.warmUp, Duration.ZERO),
        or(phases.hold, Duration.ofMinutes(1)),
        or(content.readers, List.<ReaderContent>of()).stream().map(WorkloadFile::reader).toList(),
        or(content.limits, List.of()));
  }

  private static WorkloadHistory history(
      HistoryContent content,
      WorkloadSeries series,
      WorkloadValues values,
      long seed,
      long intervalMs) {
    return new WorkloadHistory(
        series,
        values,
        seed,
        (int) Math.min(Integer.MAX_VALUE, intervalMs),
        instant(given(content.from, "history: from")).getEpochSecond(),
        given(content.span, "history: span").toMillis() / Math.max(1, intervalMs),
        0,
        1);
  }

  private static Instant instant(String text) {
    try {
      return text.length() == "2025-01-01".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "history: from must be as 2025-01-01 or 2025-01-01T06:00:00Z, not '" + text + "'", e);
    }
  }

  private static WorkloadValues values(ValuesContent content) {
    return new WorkloadValues(
        or(content.kind, ValueKind.WALK),
        or(content.min, 0L),
        or(content.max, 1000L),
        or(content.step, 5L),
        or(content.hold, 60L),
        or(content.decimals, 0),
        content.outliers == null ? null : outliers(content.outliers));
  }

  private static WorkloadValues.Outliers outliers(OutliersContent content) {
    return new WorkloadValues.Outliers(
        or(content.series, 100L),
        or(content.points, 10_000L),
        given(content.value, "values: outliers: value"));
  }

  private static Reader reader(ReaderContent content) {
    return new Reader(
        given(content.name, "readers: name"),
        or(content.aggregator, "none"),
        or(content.downsample, ""),
        or(content.where, Map.of()),
        ofHistory(or(content.at, "now")),
        or(content.range, Duration.ofHours(1)),
        or(content.rate, 1.0));
  }

  private static boolean isClosed(String loop) {
    Workload.require(loop.matches("open|closed"), "loop must be open or closed");
    return loop.equals("closed");
  }

  private static boolean ofHistory(String at) {
    Workload.require(at.matches("now|history"), "readers: at must be now or history");
    return at.equals("history");
  }

  private static <T> T or(@Nullable T given, T otherwise) {
    return given == null ? otherwise : given;
  }

  private static <T> T given(@Nullable T value, String key) {
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  private static final class SpanReader extends StdDeserializer<Duration> {
    private static final long serialVersionUID = 1;

    SpanReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser from, DeserializationContext context)
        throws IOException {
      Matcher span = SPAN.matcher(Objects.requireNonNullElse(from.getValueAsString(), ""));
      if (!span.matches()) {
        throw JsonMappingException.from(
            from, "'" + from.getText() + "' is no time span: write a number and ms, s, m, h or d");
      }
      long number = Long.parseLong(span.group(1));
      return switch (span.group(2)) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    }
  }

  private static final class LimitReader extends StdDeserializer<Limit> {
    private static final long serialVersionUID = 1;

    LimitReader() {
      super(Limit.class);
    }

    @Override
    public Limit deserialize(JsonParser from, DeserializationContext context) throws IOException {
      try {
        return Limit.of(Objects.requireNonNullElse(from.getValueAsString(), ""));
      } catch (IllegalArgumentException e) {
        throw JsonMappingException.from(from, e.getMessage());
      }
    }
  }
}
