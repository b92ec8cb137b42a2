package io.packhorse.loader.source.table;

import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A column of an input and what becomes of it.
 *
 * @param column with its name in the input
 * @param number of the column, from 1
 * @param why it has its role, in a few words
 */
public record ReadColumn(Column column, int number, String why) {
  /** The name, or the number of a column without one. */
  public String shown() {
    return column.name().isEmpty() ? "column " + number : column.name();
  }

  /** Whether it is not loaded. */
  public boolean isLeftOut() {
    return column.role() == Role.IGNORE;
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", column.name());
    json.put("number", number);
    json.put("role", column.role().toString());
    if (column.as() != null) {
      json.put("as", column.as());
    }
    json.put("why", why);
    return json;
  }
}
