package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.text.InputHead;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line {@code sep=;} by which Excel, and what writes for it, says before the header what
 * separates the fields of a table.
 */
public final class SeparatorLine {
  /** Programs that took it for a row have filled it up with separators. */
  private static final Pattern LINE = Pattern.compile("(?i)\"?sep=([\t,;|:#~^!&])\"?\\1*");

  private SeparatorLine() {}

  /** The separator that the first line of an input states. */
  public static Optional<String> of(InputHead head) {
    return head.lines().stream()
        .findFirst()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1));
  }

  /** What is stated of a table with such a line, which is not read; a stated separator counts. */
  static ColumnOptions read(InputHead head, ColumnOptions stated) {
    Optional<String> separator = of(head);
    if (separator.isEmpty() || stated.skipLines() > 0) {
      return stated;
    }
    boolean divided = stated.delimiter().isPresent() || !stated.widths().isEmpty();
    return new ColumnOptions(
        divided ? stated.delimiter() : separator,
        stated.header(),
        stated.decimal(),
        stated.missing(),
        1,
        stated.comment(),
        stated.widths(),
        stated.names(),
        stated.columns());
  }
}
