package io.packhorse.loader.cli;

import io.packhorse.loader.store.TsdKind;
import java.util.EnumSet;
import java.util.Set;

/** Values of {@code --tsd}. */
enum TsdChoice {
  PATCHED,
  STOCK,
  BOTH,
  NONE;

  Set<TsdKind> kinds() {
    return switch (this) {
      case PATCHED -> EnumSet.of(TsdKind.PATCHED);
      case STOCK -> EnumSet.of(TsdKind.STOCK);
      case BOTH -> EnumSet.allOf(TsdKind.class);
      case NONE -> EnumSet.noneOf(TsdKind.class);
    };
  }
}
