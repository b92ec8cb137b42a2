package io.packhorse.loader.source.table;

import java.util.List;
import java.util.Optional;

/**
 * What the user states about the text and the columns of tables; the rest is guessed. Columns are
 * named as in the header, or by their number from 1.
 *
 * @param delimiter one ASCII character
 * @param header whether the first row names the columns
 * @param decimal {@code .} or {@code ,}
 * @param missing words that stand for a missing value, beside those that are always taken for one
 * @param times columns that together hold the time
 * @param tags columns of tags
 * @param values columns of values
 * @param ignored columns to leave out
 */
public record ColumnOptions(
    Optional<String> delimiter,
    Optional<Boolean> header,
    Optional<String> decimal,
    List<String> missing,
    List<String> times,
    List<String> tags,
    List<String> values,
    List<String> ignored) {
  /** Nothing is stated. */
  public static final ColumnOptions NONE =
      new ColumnOptions(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if delimiter or decimal separator are not possible
   */
  public ColumnOptions {
    if (delimiter.isPresent() && !delimiter.get().matches("[\\t -~&&[^\"]]")) {
      throw new IllegalArgumentException(
          "--delimiter must be one ASCII character other than a quote, or tab: " + delimiter.get());
    }
    if (decimal.isPresent() && !List.of(".", ",").contains(decimal.get())) {
      throw new IllegalArgumentException("--decimal must be . or , : " + decimal.get());
    }
    missing = List.copyOf(missing);
    times = List.copyOf(times);
    tags = List.copyOf(tags);
    values = List.copyOf(values);
    ignored = List.copyOf(ignored);
  }
}
