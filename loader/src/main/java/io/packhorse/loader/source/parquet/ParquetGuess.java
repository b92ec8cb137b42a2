package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.RoleGuess;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.table.TableSample;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes a mapping of a file's columns, by their types, their names and the first rows. */
public final class ParquetGuess {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?");

  private ParquetGuess() {}

  /**
   * The mapping that a file with rows seems to need.
   *
   * @param options without a mapping; what they state of text is not used
   * @throws InputException if that cannot be decided; the message says what to do
   * @throws DamagedInputException if no row can be read
   */
  public static TableGuess of(ParquetFile file, TableOptions options) throws IOException {
    List<String> missing = options.columns().missing();
    TableSample sample =
        new TableSample(
            file.name(),
            file.columns().stream().map(ParquetColumn::name).toList(),
            true,
            file.columns().stream().map(ParquetColumn::type).toList(),
            file.columns().stream().map(ParquetColumn::typeName).toList(),
            file.sample(),
            Set.copyOf(missing),
            NUMBER.asMatchPredicate());
    RoleGuess.Text text = new RoleGuess.Text(",", "\"", true, '.', null, missing);
    return RoleGuess.of(sample, text, options, Optional.empty());
  }
}
