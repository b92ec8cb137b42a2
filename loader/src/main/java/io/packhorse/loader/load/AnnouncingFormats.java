package io.packhorse.loader.load;

import io.packhorse.loader.source.csv.CsvFormat;
import io.packhorse.loader.source.format.ForwardingFormats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.table.MappingFile;
import io.packhorse.loader.source.table.ReadColumn;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.UnsureGuessException;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Announces how inputs are read, once for all that are read alike, and saves the mapping of the
 * first table. One thread.
 */
public final class AnnouncingFormats extends ForwardingFormats {
  private final Announcer announcer;
  private final Set<String> announced = new HashSet<>();
  private final List<InputReading> readings = new CopyOnWriteArrayList<>();
  private @Nullable Path toSave;

  /**
   * @param toSave the mapping is saved to, if anywhere
   */
  public AnnouncingFormats(InputFormats formats, Optional<Path> toSave, Announcer announcer) {
    super(formats);
    this.toSave = toSave.orElse(null);
    this.announcer = announcer;
  }

  @Override
  public RecordFormat choose(InputHead head) throws InputException {
    RecordFormat format;
    try {
      format = super.choose(head);
    } catch (UnsureGuessException e) {
      save(e.template());
      throw e;
    }
    List<ReadColumn> columns = List.of();
    if (format instanceof CsvFormat table) {
      save(table.mapping());
      columns = table.columns();
    }
    announce(new InputReading(head.name(), format.description(), columns));
    return format;
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    ParquetTable table = super.choose(file);
    save(table.mapping());
    announce(new InputReading(file.name(), table.description(), table.columns()));
    return table;
  }

  private void save(TableMapping mapping) throws InputException {
    if (toSave != null) {
      MappingFile.write(mapping, toSave);
      toSave = null;
    }
  }

  private void announce(InputReading reading) {
    if (announced.add(reading.description())) {
      readings.add(reading);
      announcer.say("input", reading.input() + ": " + reading.description());
    }
  }

  /** How each kind of input was read so far. Any thread. */
  public List<InputReading> readings() {
    return List.copyOf(readings);
  }
}
