package io.packhorse.schema.summary;

/** A value of an entry's statistics; a reader of a block names those that it needs. */
public enum SummaryValue {
  FIRST,
  LAST,
  MIN,
  MAX,
  SUM
}
