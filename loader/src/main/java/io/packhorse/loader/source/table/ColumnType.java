package io.packhorse.loader.source.table;

/** What the type of a column says of its words. */
public enum ColumnType {
  /** Nothing: the column stands in a text. */
  ANY,
  NUMBER,
  TEXT,
  BOOLEAN,
  /** Dates, times of day or both. */
  TIME,
  /** Its values are not loaded. */
  OTHER
}
