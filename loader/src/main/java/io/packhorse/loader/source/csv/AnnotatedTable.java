package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.RowSeries;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What the columns of a table in annotated CSV are. With a column {@code _value}, a row is a point
 * of {@code _measurement._field}; a pivoted table has a column for each field instead, and its
 * point is of {@code _measurement} and the column's name. One thread.
 */
final class AnnotatedTable {
  private static final Set<String> NOT_TAGS =
      Set.of("", "result", "table", "_start", "_stop", "_time", "_value", "_field", "_measurement");

  private final List<String> names;
  private final List<String> groups;
  private final List<String> types;
  private final char[][] defaults;
  private final boolean hasDefaults;
  private final int timeColumn;
  private final int[] valueColumns;
  private final RowSeries series;

  /**
   * @param reader this table's own
   * @param names of the columns
   * @param groups {@code true} for the columns that tell tables apart; empty without annotation
   * @param types of the columns; empty without annotation
   * @param defaults of empty fields; empty without annotation
   */
  AnnotatedTable(
      SeriesReader reader,
      List<String> names,
      List<String> groups,
      List<String> types,
      List<String> defaults) {
    this.names = names;
    this.groups = groups;
    this.types = types;
    this.timeColumn = names.indexOf("_time");
    this.defaults = new char[names.size()][];
    boolean used = false;
    for (int i = 0; i < names.size(); i++) {
      this.defaults[i] = bytes(at(defaults, i));
      used |= this.defaults[i].length > 0 && !names.get(i).equals("result");
    }
    this.hasDefaults = used;
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(column(i));
    }
    int[] metric =
        IntStream.of(names.indexOf("_measurement"), names.indexOf("_field"))
            .filter(column -> column >= 0)
            .toArray();
    this.series = RowSeries.ofJoinedMetrics(reader, columns, metric);
    this.valueColumns =
        IntStream.range(0, columns.size())
            .filter(i -> columns.get(i).role() == Role.VALUE)
            .toArray();
  }

  private Column column(int i) {
    String name = names.get(i);
    if (name.equals("_value")) {
      return new Column(name, Role.VALUE, "");
    }
    if (NOT_TAGS.contains(name)) {
      return new Column(name, Role.IGNORE, null);
    }
    boolean pivoted = !names.contains("_value");
    boolean fromGroups = pivoted && groups.contains("true");
    boolean tag = fromGroups ? at(groups, i).equals("true") : isText(i);
    return new Column(name, tag || types.isEmpty() ? Role.TAG : Role.VALUE, null);
  }

  /** Whether a column holds text, by its annotation. */
  boolean isText(int column) {
    return type(column).equals("string");
  }

  /** The type of a column, or empty. */
  String type(int column) {
    return at(types, column);
  }

  private static String at(List<String> annotation, int column) {
    return column < annotation.size() ? annotation.get(column) : "";
  }

  /** The bytes of a text in UTF-8, a character each. */
  private static char[] bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
        .toCharArray();
  }

  int width() {
    return names.size();
  }

  /** Whether its rows have a time and values. */
  boolean holdsPoints() {
    return timeColumn >= 0 && valueColumns.length > 0;
  }

  int timeColumn() {
    return timeColumn;
  }

  /** Columns of values, in the order that {@link #series} counts them. */
  int[] valueColumns() {
    return valueColumns;
  }

  RowSeries series() {
    return series;
  }

  /** Whether an empty field may mean something. */
  boolean hasDefaults() {
    return hasDefaults;
  }

  /** A row with its empty fields filled in, as {@code filled}. */
  RowFields fill(RowFields row, RowFields filled) {
    filled.clear();
    for (int i = 0; i < row.count(); i++) {
      String text =
          new String(
              row.bytes(), row.from(i), row.to(i) - row.from(i), StandardCharsets.ISO_8859_1);
      char[] field = row.isEmpty(i) ? defaults[i] : text.toCharArray();
      filled.add(field, 0, field.length);
    }
    return filled;
  }
}
