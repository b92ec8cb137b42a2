package io.packhorse.loader.source.table;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The first rows of a table.
 *
 * @param input its name, for messages
 * @param names of the columns
 * @param named whether the input names its columns, in a header
 * @param types of the columns
 * @param typeNames the same in words, for messages
 * @param rows as many fields in each as there are names
 * @param missing words that stand for a missing value
 * @param isNumber whether a word is a number, as this table writes them
 */
public record TableSample(
    String input,
    List<String> names,
    boolean named,
    List<ColumnType> types,
    List<String> typeNames,
    List<List<String>> rows,
    Set<String> missing,
    Predicate<String> isNumber) {

  /** The words of a column, without empty fields and words for missing values. */
  public List<String> column(int column) {
    return words(column).toList();
  }

  private Stream<String> words(int column) {
    return rows.stream()
        .map(row -> row.get(column))
        .filter(word -> !word.isEmpty() && !missing.contains(word));
  }

  /** The words for missing values in a column, without empty fields. */
  List<String> missing(int column) {
    return rows.stream().map(row -> row.get(column)).filter(missing::contains).toList();
  }

  /** How many words of a column are numbers. */
  int numbers(int column) {
    return switch (types.get(column)) {
      case ANY -> (int) words(column).filter(isNumber).count();
      case NUMBER -> (int) words(column).count();
      case TEXT, BOOLEAN, TIME, OTHER -> 0;
    };
  }

  /** Whether most words of a column are numbers. */
  boolean areNumbers(int column) {
    return TimeGuess.isMost(numbers(column), column(column));
  }

  /** Whether most words of a column say true or false, or its type does. */
  boolean areTruths(int column) {
    return types.get(column) == ColumnType.BOOLEAN
        || (types.get(column) != ColumnType.NUMBER && Truths.areMost(column(column)));
  }

  /** All columns for messages: a type that is not loaded stands beside the name. */
  List<String> shownWithTypes() {
    return IntStream.range(0, names.size())
        .mapToObj(
            column ->
                types.get(column) == ColumnType.OTHER
                    ? shown(column) + " (" + typeNames.get(column) + ")"
                    : names.get(column))
        .toList();
  }

  /** A column for messages: its name, or its number from 1. */
  String shown(int column) {
    return names.get(column).isEmpty() ? "column " + (column + 1) : names.get(column);
  }
}
