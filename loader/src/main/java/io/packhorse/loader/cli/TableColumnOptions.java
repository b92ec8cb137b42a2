package io.packhorse.loader.cli;

import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
      description =
          "What separates the fields of a table; tab for a tab, blank for runs of blanks (default:"
              + " guessed).")
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

  @Option(
      names = "--columns",
      paramLabel = "NAME",
      split = ",",
      description =
          "Names of the columns of a table without a header, in order, with commas between them. A"
              + " row of these names is skipped, so that all parts of a table that was split can be"
              + " read.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--skip-lines",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Do not read the first lines of each table, such as a title above the header (default:"
              + " ${DEFAULT-VALUE}).")
  private int skipLines;

  @Option(
      names = "--comment",
      paramLabel = "PREFIX",
      description =
          "Do not read lines of a table that begin so (default: lines with # before the header).")
  private @Nullable String comment;

  @Option(
      names = "--widths",
      paramLabel = "N",
      split = ",",
      description =
          "The fields of a table have these widths in characters, the last up to the line's end,"
              + " and nothing separates them.")
  private List<Integer> widths = new ArrayList<>();

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
        Optional.ofNullable(delimiter).map(TableColumnOptions::character),
        noHeader ? Optional.of(false) : Optional.empty(),
        Optional.ofNullable(decimal),
        missing,
        skipLines,
        Optional.ofNullable(comment),
        widths,
        names,
        Stream.of(
                columns(times, Role.TIME),
                columns(tags, Role.TAG),
                columns(values, Role.VALUE),
                columns(ignored, Role.IGNORE))
            .flatMap(List::stream)
            .toList());
  }

  private static String character(String word) {
    return word.equals("tab") ? "\t" : word.equals("blank") ? " " : word;
  }

  private static List<Column> columns(List<String> names, Role role) {
    return names.stream().map(name -> new Column(name, role, null)).toList();
  }
}
