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
      return new CsvFormat(reader, guess, mapping.columns());
    }
    RowParser parser = new RowParser(RowSyntax.of(mapping));
    RowFields fields = parser.row();
    int from = firstRow(mapping, head);
    int end = headerEnd(mapping, head);
    if (end == head.length() && !head.whole()) {
      throw new InputException(
          head.name() + ": its header is longer than " + (end - from) + " bytes, and is not read");
    }
    if (!parser.read(head.bytes(), from, withoutLineEnd(head.bytes(), from, end))) {
      throw new InputException(head.name() + ": the quotes of its header are wrong");
    }
    List<String> names = new ArrayList<>();
    for (int field = 0; field < fields.count(); field++) {
      names.add(fields.text(field));
    }
    return new CsvFormat(reader, guess, bound(mapping, names, head.name()));
  }

  /** Index of the first record of an input: the first row that is not the header. */
  static int start(TableMapping mapping, InputHead head) {
    return mapping.header() ? headerEnd(mapping, head) : firstRow(mapping, head);
  }

  private static int firstRow(TableMapping mapping, InputHead head) {
    // A column whose name begins so stands in the header.
    String hash = String.valueOf(RowSyntax.HASH);
    boolean hashes = mapping.columns().stream().noneMatch(each -> each.name().startsWith(hash));
    return RowSyntax.of(mapping).firstRow(head, hashes);
  }

  private static int headerEnd(TableMapping mapping, InputHead head) {
    RowEnds rows = new RowEnds(RowSyntax.of(mapping));
    int from = firstRow(mapping, head);
    return from == head.length() ? from : rows.end(head.bytes(), from, head.length(), true);
  }

  private static int withoutLineEnd(byte[] bytes, int from, int end) {
    int to = end;
    while (to > from && "\r\n".indexOf(bytes[to - 1]) >= 0) {
      to--;
    }
    return to;
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
