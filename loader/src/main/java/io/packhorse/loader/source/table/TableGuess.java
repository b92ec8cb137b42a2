package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A mapping that was guessed from the first rows of a table, and what the guess rests on: a later
 * row that contradicts it is a reject. Columns are numbered from 0.
 *
 * @param mapping lists all columns in their order
 * @param isGuess false if the user states the mapping
 * @param textColumns tags that held no number in the sample
 * @param emptyColumns ignored columns that held nothing in the sample
 * @param leftOut why a column is ignored, by number
 */
public record TableGuess(
    TableMapping mapping,
    boolean isGuess,
    Set<Integer> textColumns,
    Set<Integer> emptyColumns,
    Map<Integer, String> leftOut) {
  public TableGuess {
    textColumns = Set.copyOf(textColumns);
    emptyColumns = Set.copyOf(emptyColumns);
    leftOut = Map.copyOf(leftOut);
  }

  /** A mapping that the user states: nothing in it is a guess. */
  public static TableGuess stated(TableMapping mapping) {
    return new TableGuess(mapping, false, Set.of(), Set.of(), Map.of());
  }

  /** Reads the times: a number that the unit guessed puts before 1973 is a reject. */
  public TimeReader timeReader() {
    TimeReader reader = mapping.time().reader();
    return isGuess && reader instanceof EpochTime numbers
        ? EpochTime.ofDetectedUnit(numbers.unit())
        : reader;
  }

  /**
   * The columns that are not loaded, and why, for people; empty if all are.
   *
   * @param bound the columns of an input in their order
   */
  public String leftOutInWords(List<Column> bound) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < bound.size(); i++) {
      if (bound.get(i).role() == Role.IGNORE) {
        String name = bound.get(i).name().isEmpty() ? "column " + (i + 1) : bound.get(i).name();
        shown.add(name + " (" + leftOut.getOrDefault(i, "by the mapping") + ")");
      }
    }
    return shown.isEmpty() ? "" : "; left out: " + String.join(", ", shown);
  }
}
