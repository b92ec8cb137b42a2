package io.packhorse.loader.source.format;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.csv.AnnotatedCsv;
import io.packhorse.loader.source.csv.CsvGuess;
import io.packhorse.loader.source.csv.CsvTable;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.json.JsonPoints;
import io.packhorse.loader.source.json.QueryAnswers;
import io.packhorse.loader.source.openmetrics.OpenMetrics;
import io.packhorse.loader.source.opentsdb.ImportLines;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetGuess;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.RefusedNames;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.record.UnitGuess;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the format of each input: as the user states it, or else by its first bytes. Inputs read
 * the same way share a format object and its series. One thread.
 */
public final class Formats implements InputFormats {
  private static final String PARQUET_ENDING = ".parquet";
  private static final int KEPT_MAX = 64;

  private final SourceSpec spec;
  private final SeriesNames names;

  /** Names of the columns of the last table: one without a header may be a part of it. */
  private List<String> lastColumns = List.of();

  private final RefusedNames refused = new RefusedNames();
  private final Map<Object, RecordFormat> known = recent();
  private final Map<Object, ParquetTable> knownTables = recent();

  /**
   * @param names gets the series of all inputs
   */
  public Formats(SourceSpec spec, SeriesNames names) {
    this.spec = spec;
    this.names = names;
  }

  /** Inputs may have tags of their own each: not all formats there were are kept. */
  private static <V> Map<Object, V> recent() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Object, V> eldest) {
        return size() > KEPT_MAX;
      }
    };
  }

  /** Equal for inputs that are read alike and whose paths say the same. */
  private static Object key(Object format, SeriesRules rules) {
    return List.of(format, rules.addedTags(), rules.metricPrefix());
  }

  @Override
  public RecordFormat choose(InputHead head) throws InputException {
    Format format = format(head);
    SeriesRules rules = PathTags.rules(spec, head.name(), head.file());
    SeriesReader reader = new SeriesReader(names, rules, refused);
    RecordFormat chosen =
        switch (format) {
          case OPENTSDB -> new ImportLines(reader, time(TimestampUnit.OPENTSDB));
          case JSONL ->
              new JsonPoints(reader, time(TimestampUnit.OPENTSDB), JsonPoints.spansLines(head));
          case LINE -> new LineProtocol(reader, lineProtocolTime(head), spec.fields());
          case OPENMETRICS ->
              new OpenMetrics(reader, openMetricsTime(head), spec.fields().timestampOfAll());
          case QUERY_JSON -> new QueryAnswers(reader, time(TimestampUnit.OPENTSDB));
          case ANNOTATED_CSV -> annotated(head, reader);
          case CSV -> table(head, reader, rules);
          case PARQUET -> throw ParquetFile.noFile(head.name());
        };
    if (chosen.dependsOnEarlierRecords()) {
      return chosen;
    }
    RecordFormat earlier = known.putIfAbsent(key(chosen.key(), rules), chosen);
    return earlier == null ? chosen : earlier;
  }

  @Override
  public int linesNeeded() {
    return 2 + spec.tables().columns().skipLines();
  }

  /** Two metrics that would be stored as one, in a sentence that says what to do. Any thread. */
  public Optional<String> metricsThatMeet() {
    return refused.metricsThatMeet();
  }

  /** The first tags that would be stored as one, each in a sentence for people. Any thread. */
  public List<String> tagsThatMeet() {
    return refused.tagsThatMeet();
  }

  /** The first names that OpenTSDB does not take, each in a sentence for people. Any thread. */
  public List<String> refusedNames() {
    return refused.sentences();
  }

  @Override
  public boolean isParquet(Input input) throws InputException {
    if (!input.isPlainFile() || input.opener().file().isEmpty()) {
      return false;
    }
    if (spec.format().isPresent() || input.name().endsWith(PARQUET_ENDING)) {
      return spec.format().orElse(Format.PARQUET) == Format.PARQUET;
    }
    try (InputStream in = Files.newInputStream(input.opener().file().get())) {
      return ParquetFile.startsLike(in.readNBytes(ParquetFile.MAGIC_BYTES));
    } catch (IOException e) {
      throw new InputException(input.name() + " cannot be read", e);
    }
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    TableOptions tables = spec.tables();
    TableGuess guess =
        tables.mapping().isPresent()
            ? TableGuess.stated(tables.mapping().get())
            : ParquetGuess.of(file, guessed(tables));
    SeriesRules rules = PathTags.rules(spec, file.name(), Optional.of(file.path()));
    ParquetTable chosen =
        ParquetTable.of(new SeriesReader(names, rules, refused), rules, guess, file);
    ParquetTable earlier = knownTables.putIfAbsent(key(chosen.key(), rules), chosen);
    return earlier == null ? chosen : earlier;
  }

  private Format format(InputHead head) throws InputException {
    if (spec.format().isPresent()) {
      return spec.format().get();
    }
    TableOptions tables = spec.tables();
    return tables.mapping().isPresent() || tables.columns().statesText()
        ? Format.CSV
        : FormatGuess.of(head);
  }

  private RecordFormat annotated(InputHead head, SeriesReader reader) throws InputException {
    AnnotatedCsv.checkReadable(head);
    return new AnnotatedCsv(reader, spec.fields().skipsText(), spec.fields().storesBooleans());
  }

  private RecordFormat table(InputHead head, SeriesReader reader, SeriesRules rules)
      throws InputException {
    TableOptions tables = spec.tables();
    if (tables.mapping().isPresent()) {
      return CsvTable.format(reader, rules, TableGuess.stated(tables.mapping().get()), head);
    }
    String text = String.join("", head.lines());
    if (!text.isEmpty() && text.chars().noneMatch(Character::isLetterOrDigit)) {
      throw new NotDataException(head.name() + " is not data: it has separators and no words");
    }
    Optional<TableGuess> guess = CsvGuess.of(head, guessed(tables), lastColumns);
    if (guess.isEmpty()) {
      return new NoRows();
    }
    lastColumns = guess.get().mapping().columns().stream().map(Column::name).toList();
    return CsvTable.format(reader, rules, guess.get(), head);
  }

  /** What is stated of tables without a mapping. */
  private TableOptions guessed(TableOptions tables) {
    return new TableOptions(
        Optional.empty(),
        timeFormat(),
        tables.zone(),
        tables.dst(),
        tables.columns(),
        tables.storesBooleans());
  }

  /** The format of times in tables, if the user states it. */
  private Optional<String> timeFormat() {
    return spec.unit().map(TimestampUnit::toString).or(spec.tables()::timeFormat);
  }

  private EpochTime time(TimestampUnit unlessStated) {
    return new EpochTime(spec.unit().orElse(unlessStated));
  }

  private EpochTime lineProtocolTime(InputHead head) throws InputException {
    List<String> words =
        head.lines().stream()
            .map(String::strip)
            .filter(text -> !text.isEmpty() && !text.startsWith("#"))
            .map(text -> text.substring(text.lastIndexOf(' ') + 1))
            .toList();
    // A last word with an equals sign is a field.
    return recordTime(head, words, words.stream().anyMatch(word -> word.indexOf('=') < 0));
  }

  private EpochTime openMetricsTime(InputHead head) throws InputException {
    List<String> words = new ArrayList<>();
    for (String line : head.lines()) {
      String sample = line.replaceFirst(" # .*", "").strip();
      if (!sample.startsWith("#") && !sample.isEmpty()) {
        String[] rest = sample.substring(sample.lastIndexOf('}') + 1).strip().split("[ \t]+", -1);
        int timestamp = sample.indexOf('}') < 0 ? 2 : 1;
        words.add(rest.length > timestamp ? rest[timestamp] : "");
      }
    }
    return recordTime(head, words, words.stream().anyMatch(word -> !word.isEmpty()));
  }

  /**
   * Timestamps of records that may have none.
   *
   * @param words that stand where timestamps should
   * @param timed whether some record has one
   */
  private EpochTime recordTime(InputHead head, List<String> words, boolean timed)
      throws InputException {
    boolean stated = spec.fields().timestampOfAll() != FieldRules.NONE;
    if (!timed && !words.isEmpty() && !stated) {
      throw new InputException(
          head.name()
              + ": its lines have no timestamps; state one for all of them with --timestamp now or"
              + " --timestamp 2024-01-31T06:00Z");
    }
    if (spec.unit().isPresent()) {
      return new EpochTime(spec.unit().get());
    }
    if (!timed && stated) {
      return new EpochTime(TimestampUnit.MILLISECONDS);
    }
    UnitGuess guess = new UnitGuess();
    words.forEach(guess::addFloating);
    return EpochTime.ofDetectedUnit(guess.unit(head.name()));
  }
}
