package io.packhorse.loader.source.format;

import java.util.Locale;

/** The formats that are read. */
public enum Format {
  OPENTSDB,
  LINE,
  CSV,
  ANNOTATED_CSV,
  JSONL,
  QUERY_JSON,
  OPENMETRICS,
  PARQUET;

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
