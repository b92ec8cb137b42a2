package io.packhorse.loader.store;

import java.util.List;
import java.util.Locale;

/** The two kinds of TSD that a store can run. */
public enum TsdKind {
  /** Reads packed cells: our patched classes before the published jar. */
  PATCHED("tsd"),
  /** The published jar alone, for comparison; it does not see packed cells. */
  STOCK("stock-tsd");

  private final String id;

  TsdKind(String id) {
    this.id = id;
  }

  /** Name in files: configuration directory, log, state keys. */
  String id() {
    return id;
  }

  /** Library folders in class path order. */
  List<String> libraries() {
    return this == PATCHED ? List.of("tsd-overlay", "tsd") : List.of("tsd");
  }

  /** The name in messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
