package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.text.Spellings;

/** The fields of one row as text in UTF-8, by number. */
public interface RowFields {
  /** The bytes of all fields, {@link Spellings#PADDING} more behind them. */
  byte[] bytes();

  /** Index of a field's first byte. */
  int from(int field);

  /** Index after a field's last byte. */
  int to(int field);

  /** Whether a field holds nothing. */
  default boolean isEmpty(int field) {
    return from(field) == to(field);
  }
}
