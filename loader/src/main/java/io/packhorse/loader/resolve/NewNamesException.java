package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** A load has more new names than it may give UIDs to; the next ones were given none. */
public final class NewNamesException extends IOException {
  private static final long serialVersionUID = 1;

  private static final int SHOWN = 3;

  /**
   * @param next names that would have been next
   */
  NewNamesException(long max, UidKind kind, List<String> next) {
    super(
        String.format(
            "it has more than %,d new names, and each takes a UID for ever; the next would be of kind"
                + " %s: %s%s",
            max,
            kind.qualifier(),
            next.stream().limit(SHOWN).collect(Collectors.joining("', '", "'", "'")),
            next.size() > SHOWN ? " and others" : ""));
  }
}
