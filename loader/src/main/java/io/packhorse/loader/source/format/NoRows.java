package io.packhorse.loader.source.format;

import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.text.RecordFormat;

/** A table that has a header and no rows: nothing is read of it. */
final class NoRows implements RecordFormat {
  @Override
  public void read(byte[] buffer, int from, int to, Points points) {}

  @Override
  public String description() {
    return "a table without rows; nothing to load";
  }
}
