package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.text.InputHead;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A first line such as {@code sep=;}, which names the field separator for Excel. */
public final class SeparatorLine {
  /** A program that took the line for a row may have padded it with separators. */
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

  /**
   * The options of a table that may begin with such a line: the line is skipped, and its separator
   * is the delimiter unless the options state a delimiter or widths.
   */
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
