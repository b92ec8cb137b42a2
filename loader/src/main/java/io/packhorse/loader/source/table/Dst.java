package io.packhorse.loader.source.table;

import java.util.Locale;

/** What to do with a local time that is ambiguous or does not exist when clocks are changed. */
public enum Dst {
  /** Reject the row. */
  REJECT,
  /** Use the offset before the change. */
  EARLIER,
  /** Use the offset after the change. */
  LATER;

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
