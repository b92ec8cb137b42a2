package io.packhorse.loader.source.table;

import io.packhorse.loader.source.table.TableMapping.Column;
import java.util.List;
import java.util.Optional;

/**
 * What the user states about the text and the columns of tables; the rest is guessed.
 *
 * @param delimiter one ASCII character; a blank for runs of blanks
 * @param header whether the first row names the columns
 * @param decimal {@code .} or {@code ,}
 * @param missing words that stand for a missing value, beside those that are always taken for one
 * @param skipLines lines at the beginning of each input that are not read
 * @param comment lines that begin with it are not read
 * @param widths of the fields, in characters; empty if a character separates them
 * @param names of the columns, in order; empty if the header has them or there are none
 * @param columns roles, by name or by number from 1
 */
public record ColumnOptions(
    Optional<String> delimiter,
    Optional<Boolean> header,
    Optional<String> decimal,
    List<String> missing,
    int skipLines,
    Optional<String> comment,
    List<Integer> widths,
    List<String> names,
    List<Column> columns) {
  /** Nothing is stated. */
  public static final ColumnOptions NONE = of(List.of());

  private static final int SKIPPED_MAX = 10_000;

  /** The roles of columns are stated, nothing else. */
  public static ColumnOptions of(List<Column> columns) {
    return new ColumnOptions(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        0,
        Optional.empty(),
        List.of(),
        List.of(),
        columns);
  }

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if something stated is not possible
   */
  public ColumnOptions {
    if (delimiter.isPresent() && !delimiter.get().matches("[\\t -~&&[^\"]]")) {
      throw new IllegalArgumentException(
          "--delimiter must be one ASCII character other than a quote, or tab, or blank: "
              + delimiter.get());
    }
    if (decimal.isPresent() && !List.of(".", ",").contains(decimal.get())) {
      throw new IllegalArgumentException("--decimal must be . or , : " + decimal.get());
    }
    if (skipLines < 0 || skipLines > SKIPPED_MAX) {
      throw new IllegalArgumentException("--skip-lines must be 0 to " + SKIPPED_MAX);
    }
    if (comment.isPresent() && comment.get().isBlank()) {
      throw new IllegalArgumentException("--comment must not be empty or blank");
    }
    if (widths.stream().anyMatch(width -> width < 1)) {
      throw new IllegalArgumentException("--widths must be 1 or more each: " + widths);
    }
    if (!widths.isEmpty() && delimiter.isPresent()) {
      throw new IllegalArgumentException("--widths and --delimiter exclude each other");
    }
    missing = List.copyOf(missing);
    widths = List.copyOf(widths);
    names = List.copyOf(names);
    columns = List.copyOf(columns);
  }

  /** Whether it says how the text is divided, so that only a table can be meant. */
  public boolean statesText() {
    return delimiter.isPresent()
        || header.isPresent()
        || skipLines > 0
        || comment.isPresent()
        || !widths.isEmpty()
        || !names.isEmpty();
  }
}
