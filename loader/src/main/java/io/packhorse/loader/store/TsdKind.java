package io.packhorse.loader.store;

import java.util.List;
import java.util.Locale;

/** Which OpenTSDB serves queries. */
public enum TsdKind {
  /** Reads packed cells: our overlay first, then the published jar. */
  PATCHED("tsd"),
  /** The published jar alone; blind to packed cells. For comparison. */
  STOCK("stock-tsd");

  private final String id;

  TsdKind(String id) {
    this.id = id;
  }

  /** Name in files: configuration directory, log, state keys. */
  String id() {
    return id;
  }

  /** Library folders, first one first on the class path. */
  List<String> libraries() {
    return this == PATCHED ? List.of("tsd-overlay", "tsd") : List.of("tsd");
  }

  /** In lower case, for people. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
