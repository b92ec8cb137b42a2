package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;

/** Finds the ends of rows: line ends that are not inside quotes. */
final class RowEnds {
  /** Two more for the line end of a row that is just short enough. */
  private static final int ROW_BYTES_MAX = Rejects.RECORD_BYTES_MAX + 2;

  /** Instead of an index: no line end, and a quote is open. */
  private static final int QUOTE_OPEN = -1;

  /** Instead of an index: no line end, and no quote is open. */
  private static final int NO_END = -2;

  private final byte delimiter;
  private final byte quote;
  private final boolean byLine;

  RowEnds(RowSyntax syntax) {
    this.delimiter = (byte) syntax.delimiter();
    this.quote = (byte) syntax.quote();
    this.byLine = syntax.isByLine();
  }

  /**
   * Finds the end of the row that begins at {@code from}, its line end included. If a quote is not
   * closed within the maximum length of a row, the row ends at its first line end, so that one
   * stray quote does not swallow the rows after it.
   *
   * @param last whether the input ends at {@code limit}
   * @return index after the row, or -1 if it may continue after {@code limit}
   */
  int end(byte[] buffer, int from, int limit, boolean last) {
    int feed = Lines.feed(buffer, from, limit);
    if (feed < 0) {
      return last ? limit : -1;
    }
    if (byLine || !hasQuote(buffer, from, feed)) {
      return feed + 1;
    }
    // A fixed limit: the result must not depend on where the buffer ends.
    int reach = Math.min(limit, from + ROW_BYTES_MAX);
    int end = scan(buffer, from, reach);
    if (end >= 0) {
      return end + 1;
    }
    if (last && end == NO_END && limit == reach) {
      return limit;
    }
    return last || limit > reach ? feed + 1 : -1;
  }

  /** As {@link RecordFormat#lastRecordEnd}. */
  int lastEnd(byte[] buffer, int from, int limit) {
    int last = from;
    int end = from;
    while (end >= 0 && end < limit) {
      end = end(buffer, last, limit, false);
      last = Math.max(last, end);
    }
    return last;
  }

  /** Whether every quote of the row {@code [from, to)} is closed, and it is one row. */
  boolean isWhole(byte[] buffer, int from, int to) {
    for (int at = from; at < to && !byLine; at++) {
      if (buffer[at] == quote || buffer[at] == '\r') {
        return scan(buffer, from, to) == NO_END;
      }
    }
    return true;
  }

  private boolean hasQuote(byte[] buffer, int from, int to) {
    for (int at = from; at < to; at++) {
      if (buffer[at] == quote) {
        return true;
      }
    }
    return false;
  }

  /** Index of the line end outside quotes; or {@link #QUOTE_OPEN} or {@link #NO_END}. */
  private int scan(byte[] buffer, int from, int limit) {
    int at = from;
    while (at < limit) {
      if (buffer[at] == quote) {
        at = closed(buffer, at + 1, limit);
        if (at < 0) {
          return QUOTE_OPEN;
        }
      }
      while (at < limit && buffer[at] != delimiter) {
        if (buffer[at] == '\n'
            || (buffer[at] == '\r' && at + 1 < limit && buffer[at + 1] != '\n')) {
          return at;
        }
        at++;
      }
      at++;
    }
    return NO_END;
  }

  /** Index after the quote that closes a field; a doubled one does not. */
  private int closed(byte[] buffer, int from, int limit) {
    for (int at = from; at < limit; at++) {
      if (buffer[at] == quote) {
        if (at + 1 < limit && buffer[at + 1] == quote) {
          at++;
        } else {
          return at + 1;
        }
      }
    }
    return -1;
  }
}
