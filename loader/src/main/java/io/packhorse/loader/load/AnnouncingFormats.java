package io.packhorse.loader.load;

import io.packhorse.loader.source.csv.CsvFormat;
import io.packhorse.loader.source.format.ForwardingFormats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.table.MappingFile;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.UnsureGuessException;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Announces how inputs are read, once for all that are read alike, and saves the mapping of the
 * first table. One thread.
 */
public final class AnnouncingFormats extends ForwardingFormats {
  private final Announcer announcer;
  private final Set<String> announced = new HashSet<>();
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
    if (format instanceof CsvFormat table) {
      save(table.mapping());
    }
    announce(head.name(), format.description());
    return format;
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    ParquetTable table = super.choose(file);
    save(table.mapping());
    announce(file.name(), table.description());
    return table;
  }

  private void save(TableMapping mapping) throws InputException {
    if (toSave != null) {
      MappingFile.write(mapping, toSave);
      toSave = null;
    }
  }

  private void announce(String input, String description) {
    if (announced.add(description)) {
      announcer.say("input", input + ": " + description);
    }
  }
}
