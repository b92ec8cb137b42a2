package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** A load needs more new UIDs than its limit; the last block of names was assigned none. */
public final class NewNamesException extends IOException {
  private static final long serialVersionUID = 1;

  private static final int SHOWN = 3;

  /**
   * @param next names without a UID, first those asked for first
   */
  NewNamesException(long max, UidKind kind, List<String> next) {
    super(
        String.format(
            "more than %,d new names need a UID, the limit of --max-new-names; the next %s names: %s%s",
            max,
            kind.qualifier(),
            next.stream().limit(SHOWN).collect(Collectors.joining("', '", "'", "'")),
            next.size() > SHOWN ? " and others" : ""));
  }
}
