package io.packhorse.loader.cli;

import io.packhorse.loader.source.table.ColumnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that state what the columns of tables are; the rest is guessed. */
final class TableColumnOptions {
  @Option(
      names = "--time-column",
      paramLabel = "COLUMN",
      description =
          "The column that holds the time, by its name or its number from 1. Repeated: columns that"
              + " hold it together, such as date and time of day (default: guessed).")
  private List<String> times = new ArrayList<>();

  @Option(
      names = "--tag",
      paramLabel = "COLUMN",
      description = "A column that holds a tag, by name or number (default: guessed).")
  private List<String> tags = new ArrayList<>();

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description = "A column that holds values, by name or number (default: guessed).")
  private List<String> values = new ArrayList<>();

  @Option(
      names = "--ignore",
      paramLabel = "COLUMN",
      description = "A column to leave out, by name or number.")
  private List<String> ignored = new ArrayList<>();

  @Option(
      names = "--delimiter",
      paramLabel = "CHARACTER",
      description = "What separates the fields of a table; tab for a tab (default: guessed).")
  private @Nullable String delimiter;

  @Option(
      names = "--no-header",
      description = "The first row of a table is data: its columns are column1, column2, ...")
  private boolean noHeader;

  @Option(
      names = "--missing",
      paramLabel = "WORD",
      description =
          "A word that stands where a table has no value, besides NA, N/A, null, None, ?, - and"
              + " the like.")
  private List<String> missing = new ArrayList<>();

  @Option(
      names = "--decimal",
      paramLabel = "CHARACTER",
      description = "The decimal separator of a table's numbers: . or , (default: guessed).")
  private @Nullable String decimal;

  /** Whether any of them is given. */
  boolean isGiven() {
    return !columns().equals(ColumnOptions.NONE);
  }

  /**
   * What these options state.
   *
   * @throws IllegalArgumentException if a separator is not one character
   */
  ColumnOptions columns() {
    return new ColumnOptions(
        Optional.ofNullable("tab".equals(delimiter) ? "\t" : delimiter),
        noHeader ? Optional.of(false) : Optional.empty(),
        Optional.ofNullable(decimal),
        missing,
        times,
        tags,
        values,
        ignored);
  }
}
