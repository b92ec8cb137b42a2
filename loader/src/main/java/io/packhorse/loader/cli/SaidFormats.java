package io.packhorse.loader.cli;

import io.packhorse.loader.source.csv.CsvFormat;
import io.packhorse.loader.source.csv.CsvMapping;
import io.packhorse.loader.source.csv.MappingFile;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.text.Head;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says how inputs are read, once for all that are read alike, and saves the mapping of the first
 * table. One thread.
 */
final class SaidFormats implements InputFormats {
  private final InputFormats formats;
  private final PrintWriter err;
  private final Set<String> said = new HashSet<>();
  private @Nullable Path toSave;

  /**
   * @param toSave the mapping is saved to, if anywhere
   */
  SaidFormats(InputFormats formats, @Nullable Path toSave, PrintWriter err) {
    this.formats = formats;
    this.toSave = toSave;
    this.err = err;
  }

  @Override
  public RecordFormat choose(Head head) throws InputException {
    RecordFormat format = formats.choose(head);
    if (format instanceof CsvFormat table) {
      save(table.mapping());
    }
    say(head.name(), format.description());
    return format;
  }

  @Override
  public boolean isParquet(Input input) throws InputException {
    return formats.isParquet(input);
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    ParquetTable table = formats.choose(file);
    save(table.mapping());
    say(file.name(), table.description());
    return table;
  }

  private void save(CsvMapping mapping) throws InputException {
    if (toSave != null) {
      MappingFile.write(mapping, toSave);
      toSave = null;
    }
  }

  private void say(String input, String description) {
    if (said.add(description)) {
      err.println("input     " + input + ": " + description);
    }
  }
}
