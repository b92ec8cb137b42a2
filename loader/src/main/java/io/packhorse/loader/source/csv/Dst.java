package io.packhorse.loader.source.csv;

import java.util.Locale;

/** What a local time means that clocks show twice or not at all, when they are changed. */
public enum Dst {
  /** Nothing: the row is a reject. */
  REJECT,
  /** What it means by the offset before the change. */
  EARLIER,
  /** What it means by the offset after the change. */
  LATER;

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
