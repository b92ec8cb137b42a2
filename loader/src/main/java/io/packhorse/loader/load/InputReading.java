package io.packhorse.loader.load;

import io.packhorse.loader.source.table.ReadColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How an input is read, and all others that are read alike.
 *
 * @param input name of the first of them
 * @param description for people
 * @param columns of a table, those left out included; empty if the input is no table
 */
public record InputReading(String input, String description, List<ReadColumn> columns) {
  public InputReading {
    columns = List.copyOf(columns);
  }

  /** For programs. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("input", input);
    json.put("read_as", description);
    if (!columns.isEmpty()) {
      json.put("columns", columns.stream().map(ReadColumn::json).toList());
      json.put(
          "columns_left_out",
          columns.stream().filter(ReadColumn::isLeftOut).map(ReadColumn::shown).toList());
    }
    return json;
  }
}
