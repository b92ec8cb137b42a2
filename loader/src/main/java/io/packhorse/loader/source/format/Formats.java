package io.packhorse.loader.source.format;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.csv.CsvGuess;
import io.packhorse.loader.source.csv.CsvTable;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.json.JsonPoints;
import io.packhorse.loader.source.openmetrics.OpenMetrics;
import io.packhorse.loader.source.opentsdb.ImportLines;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetGuess;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.record.UnitGuess;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the format of each input: as the user states it, or else by its first bytes. Inputs read
 * the same way share a format object and its series. One thread.
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
  public RecordFormat choose(InputHead head) throws InputException {
    Format format = format(head);
    RecordFormat chosen =
        switch (format) {
          case OPENTSDB -> new ImportLines(reader, time(TimestampUnit.OPENTSDB));
          case JSONL ->
              new JsonPoints(reader, time(TimestampUnit.OPENTSDB), JsonPoints.spansLines(head));
          case LINE -> new LineProtocol(reader, lineProtocolTime(head), spec.fields());
          case OPENMETRICS -> new OpenMetrics(reader, openMetricsTime(head));
          case CSV -> table(head);
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
    TableOptions tables = spec.tables();
    TableMapping mapping =
        tables.mapping().isPresent()
            ? tables.mapping().get()
            : ParquetGuess.of(file, timeFormat(), tables.zone(), tables.dst());
    ParquetTable chosen = ParquetTable.of(reader, spec.rules(), mapping, file);
    ParquetTable earlier = knownTables.putIfAbsent(chosen.key(), chosen);
    return earlier == null ? chosen : earlier;
  }

  private Format format(InputHead head) throws InputException {
    if (spec.format().isPresent()) {
      return spec.format().get();
    }
    return spec.tables().mapping().isPresent() ? Format.CSV : FormatGuess.of(head);
  }

  private RecordFormat table(InputHead head) throws InputException {
    TableOptions tables = spec.tables();
    if (tables.mapping().isPresent()) {
      return CsvTable.format(reader, spec.rules(), TableGuess.stated(tables.mapping().get()), head);
    }
    if (CsvGuess.hasNoRows(head, tables)) {
      return new NoRows();
    }
    TableOptions options =
        new TableOptions(
            Optional.empty(), timeFormat(), tables.zone(), tables.dst(), tables.columns());
    return CsvTable.format(reader, spec.rules(), CsvGuess.of(head, options), head);
  }

  /** The format of times in tables, if the user states it. */
  private Optional<String> timeFormat() {
    return spec.unit().map(TimestampUnit::toString).or(spec.tables()::timeFormat);
  }

  private EpochTime time(TimestampUnit unlessStated) {
    return new EpochTime(spec.unit().orElse(unlessStated));
  }

  private EpochTime lineProtocolTime(InputHead head) throws InputException {
    if (spec.unit().isPresent()) {
      return new EpochTime(spec.unit().get());
    }
    UnitGuess guess = new UnitGuess();
    for (String line : head.lines()) {
      String text = line.strip();
      if (!text.startsWith("#")) {
        guess.add(text.substring(text.lastIndexOf(' ') + 1));
      }
    }
    return EpochTime.ofDetectedUnit(guess.unit(head.name()));
  }

  private EpochTime openMetricsTime(InputHead head) throws InputException {
    if (spec.unit().isPresent()) {
      return new EpochTime(spec.unit().get());
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
    return EpochTime.ofDetectedUnit(guess.unit(head.name()));
  }
}
