package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Binds a mapping to the header of an input. */
public final class CsvTable {
  private CsvTable() {}

  /**
   * How an input is read by a mapping.
   *
   * @throws InputException if the mapping names a column that the header does not have, or there
   *     would be no tags
   */
  public static RecordFormat format(
      SeriesReader reader, SeriesRules rules, TableGuess guess, InputHead head)
      throws InputException {
    TableMapping mapping = guess.mapping();
    mapping.requireTags(head.name(), rules);
    mapping.requireDistinctNames(head.name(), rules);
    if (!mapping.header()) {
      return new CsvFormat(reader, guess, new byte[0], mapping.columns());
    }
    byte[] header = firstRow(mapping, head);
    RowParser parser = new RowParser(mapping);
    RowFields fields = parser.row();
    if (!parser.read(header, 0, header.length)) {
      throw new InputException(head.name() + ": the quotes of its header are wrong");
    }
    List<String> names = new ArrayList<>();
    for (int field = 0; field < fields.count(); field++) {
      names.add(fields.text(field));
    }
    return new CsvFormat(reader, guess, header, bound(mapping, names, head.name()));
  }

  /** The first row that is not empty, without its line end; empty if there is none. */
  private static byte[] firstRow(TableMapping mapping, InputHead head) {
    RowEnds rows = new RowEnds(mapping.delimiter().charAt(0), mapping.quote().charAt(0));
    int start = head.from();
    while (start < head.length()) {
      int next = rows.end(head.bytes(), start, head.length(), true);
      int end = next;
      while (end > start && "\r\n".indexOf(head.bytes()[end - 1]) >= 0) {
        end--;
      }
      if (end > start) {
        return Arrays.copyOfRange(head.bytes(), start, end);
      }
      start = next;
    }
    return new byte[0];
  }

  /**
   * The columns of an input in its order; those that the mapping does not name are left out. Where
   * several have one name, the mapping's first is the header's first, and so on.
   */
  private static List<Column> bound(TableMapping mapping, List<String> header, String input)
      throws InputException {
    List<Column> bound = new ArrayList<>();
    Map<String, Queue<Integer>> places = new HashMap<>();
    for (String name : header) {
      places.computeIfAbsent(name, none -> new ArrayDeque<>()).add(bound.size());
      bound.add(new Column(name, Role.IGNORE, null));
    }
    for (Column column : mapping.columns()) {
      Queue<Integer> free = places.get(column.name());
      Integer index = free == null ? null : free.poll();
      if (index != null) {
        bound.set(index, column);
      } else if (column.role() != Role.IGNORE) {
        throw new InputException(
            input
                + (free == null ? " has no column '" : " has too few columns '")
                + column.name()
                + "'; its columns are "
                + header);
      }
    }
    return bound;
  }
}
