package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.csv.CsvMapping.Column;
import io.packhorse.loader.source.csv.CsvMapping.Role;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Head;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.SeriesRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;

/** Puts a mapping and the header of an input together. */
public final class Table {
  private Table() {}

  /**
   * How an input is read by a mapping.
   *
   * @throws InputException if the mapping names a column that the header has not got, or there
   *     would be no tags
   */
  public static RecordFormat format(
      SeriesReader reader, SeriesRules rules, CsvMapping mapping, Head head) throws InputException {
    requireTags(head.name(), mapping, rules);
    if (!mapping.header()) {
      return new CsvFormat(reader, mapping, new byte[0], mapping.columns());
    }
    byte[] header = firstRow(mapping, head);
    RowParser parser = new RowParser(mapping);
    RowFields fields = parser.row();
    if (!parser.read(header, 0, header.length)) {
      throw new InputException(head.name() + ": the quotes of its header are not right");
    }
    List<String> names = new ArrayList<>();
    for (int field = 0; field < fields.count(); field++) {
      names.add(fields.text(field));
    }
    return new CsvFormat(reader, mapping, header, bound(mapping, names, head.name()));
  }

  /**
   * Sees that rows have tags.
   *
   * @throws InputException if no series could have one
   */
  public static void requireTags(String input, CsvMapping mapping, SeriesRules rules)
      throws InputException {
    boolean tagged =
        mapping.columns().stream().anyMatch(column -> column.role() == Role.TAG)
            || !rules.addedTags().isEmpty();
    if (!tagged) {
      throw new InputException(
          input
              + " has no column of tags, and OpenTSDB wants a tag at least: give one with --add-tag"
              + " KEY=VALUE");
    }
  }

  /** The first row that is not empty, without its line end; empty if there is none. */
  private static byte[] firstRow(CsvMapping mapping, Head head) {
    Rows rows = new Rows(mapping.delimiter().charAt(0), mapping.quote().charAt(0));
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
  private static List<Column> bound(CsvMapping mapping, List<String> header, String input)
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

  /** Places of the columns with a role. */
  public static int[] indexes(List<Column> columns, Role role) {
    return IntStream.range(0, columns.size()).filter(i -> columns.get(i).role() == role).toArray();
  }
}
