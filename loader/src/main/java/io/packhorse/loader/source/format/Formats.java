package io.packhorse.loader.source.format;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.csv.CsvMapping;
import io.packhorse.loader.source.csv.MappingGuess;
import io.packhorse.loader.source.csv.Table;
import io.packhorse.loader.source.csv.TableSpec;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.json.JsonPoints;
import io.packhorse.loader.source.openmetrics.OpenMetrics;
import io.packhorse.loader.source.opentsdb.ImportLines;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetGuess;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.text.Head;
import io.packhorse.loader.source.text.LineTime;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.TimestampUnit;
import io.packhorse.loader.source.text.UnitGuess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out the format of each input, by what the user said or else by how it begins. Inputs that
 * are read the same way share a format and what it knows of series. One thread.
 */
public final class Formats implements InputFormats {
  private static final String PARQUET_ENDING = ".parquet";

  private final SourceSpec spec;
  private final SeriesReader reader;
  private final Map<Object, RecordFormat> known = new HashMap<>();
  private final Map<Object, ParquetTable> knownTables = new HashMap<>();

  /**
   * @param names gets the series of all inputs
   */
  public Formats(SourceSpec spec, SeriesNames names) {
    this.spec = spec;
    this.reader = new SeriesReader(names, spec.rules());
  }

  @Override
  public RecordFormat choose(Head head) throws InputException {
    Format format = format(head);
    RecordFormat chosen =
        switch (format) {
          case OPENTSDB -> new ImportLines(reader, time(TimestampUnit.OPENTSDB));
          case JSONL ->
              new JsonPoints(reader, time(TimestampUnit.OPENTSDB), JsonPoints.isOverLines(head));
          case LINE -> new LineProtocol(reader, new LineTime(lineProtocolUnit(head)));
          case OPENMETRICS -> new OpenMetrics(reader, new LineTime(openMetricsUnit(head)));
          case CSV -> Table.format(reader, spec.rules(), mapping(head), head);
          case PARQUET -> throw ParquetFile.noFile(head.name());
        };
    RecordFormat earlier = known.putIfAbsent(chosen.key(), chosen);
    return earlier == null ? chosen : earlier;
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
    TableSpec tables = spec.tables();
    CsvMapping mapping =
        tables.mapping().isPresent()
            ? tables.mapping().get()
            : ParquetGuess.of(file, timeFormat(), tables.zone(), tables.dst());
    ParquetTable chosen = ParquetTable.of(reader, spec.rules(), mapping, file);
    ParquetTable earlier = knownTables.putIfAbsent(chosen.key(), chosen);
    return earlier == null ? chosen : earlier;
  }

  private Format format(Head head) throws InputException {
    if (spec.format().isPresent()) {
      return spec.format().get();
    }
    return spec.tables().mapping().isPresent() ? Format.CSV : FormatGuess.of(head);
  }

  private CsvMapping mapping(Head head) throws InputException {
    TableSpec tables = spec.tables();
    if (tables.mapping().isPresent()) {
      return tables.mapping().get();
    }
    return MappingGuess.of(head, timeFormat(), tables.zone(), tables.dst());
  }

  /** How the times of tables are written, if the user has said so. */
  private Optional<String> timeFormat() {
    return spec.unit().map(TimestampUnit::toString).or(spec.tables()::timeFormat);
  }

  private LineTime time(TimestampUnit unlessStated) {
    return new LineTime(spec.unit().orElse(unlessStated));
  }

  private TimestampUnit lineProtocolUnit(Head head) throws InputException {
    if (spec.unit().isPresent()) {
      return spec.unit().get();
    }
    UnitGuess guess = new UnitGuess();
    for (String line : head.lines()) {
      String text = line.strip();
      if (!text.startsWith("#")) {
        guess.add(text.substring(text.lastIndexOf(' ') + 1));
      }
    }
    return guess.unit(head.name());
  }

  private TimestampUnit openMetricsUnit(Head head) throws InputException {
    if (spec.unit().isPresent()) {
      return spec.unit().get();
    }
    UnitGuess guess = new UnitGuess();
    for (String line : head.lines()) {
      if (!line.startsWith("#")) {
        String sample = line.replaceFirst(" # .*", "").strip();
        String[] words = sample.substring(sample.lastIndexOf('}') + 1).strip().split("[ \t]+", -1);
        int timestamp = sample.indexOf('}') < 0 ? 2 : 1;
        guess.addFloating(words.length > timestamp ? words[timestamp] : "");
      }
    }
    return guess.unit(head.name());
  }
}
