package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.table.TableMapping.Column;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A mapping that was guessed from the first rows of a table, and what the guess rests on: a later
 * row that contradicts it is a reject. Columns are numbered from 0.
 *
 * @param mapping lists all columns in their order
 * @param isTimeGuessed false if the user states the mapping, or how times are written
 * @param textColumns tags that held no number in the sample
 * @param emptyColumns ignored columns that held nothing in the sample
 * @param why each column has its role, by number
 */
public record TableGuess(
    TableMapping mapping,
    boolean isTimeGuessed,
    Set<Integer> textColumns,
    Set<Integer> emptyColumns,
    Map<Integer, String> why) {
  public TableGuess {
    textColumns = Set.copyOf(textColumns);
    emptyColumns = Set.copyOf(emptyColumns);
    why = Map.copyOf(why);
  }

  /** A mapping that the user states: nothing in it is a guess. */
  public static TableGuess stated(TableMapping mapping) {
    return new TableGuess(mapping, false, Set.of(), Set.of(), Map.of());
  }

  /**
   * Reads the times. If their format was guessed, a number that its unit puts before 1973 is a
   * reject, and so is an hour 24 without minutes.
   */
  public TimeReader timeReader() {
    TimeReader reader = mapping.time().reader();
    if (isTimeGuessed && reader instanceof EpochTime numbers) {
      return EpochTime.ofDetectedUnit(numbers.unit());
    }
    return isTimeGuessed && reader instanceof PatternTime pattern ? pattern.guessed() : reader;
  }

  /**
   * All columns of an input, and why each has its role.
   *
   * @param bound in their order
   */
  public List<ReadColumn> columns(List<Column> bound) {
    return IntStream.range(0, bound.size())
        .mapToObj(i -> new ReadColumn(bound.get(i), i + 1, why.getOrDefault(i, "by the mapping")))
        .toList();
  }

  /**
   * The columns that are not loaded, and why, for people; empty if all are.
   *
   * @param bound the columns of an input in their order
   */
  public String leftOutInWords(List<Column> bound) {
    List<String> shown =
        columns(bound).stream()
            .filter(ReadColumn::isLeftOut)
            .map(column -> column.shown() + " (" + column.why() + ")")
            .toList();
    return shown.isEmpty() ? "" : "; left out: " + String.join(", ", shown);
  }
}
