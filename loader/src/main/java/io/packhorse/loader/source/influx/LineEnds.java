package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;

/** Finds the ends of records of line protocol: line ends that are not inside a string value. */
final class LineEnds {
  /** Two more for the line end of a record of the maximum length. */
  private static final int RECORD_BYTES_MAX = Rejects.RECORD_BYTES_MAX + 2;

  /** Instead of an index: the record does not end before the limit. */
  private static final int OPEN = -1;

  /** Instead of an index: a quote is followed by what cannot follow a value. */
  private static final int MALFORMED = -2;

  private LineEnds() {}

  /**
   * As {@link RecordFormat#recordEnd}. If a string is malformed or not closed within the maximum
   * length of a record, the record ends at its first line end, so that a stray quote does not
   * swallow the lines after it.
   */
  static int end(byte[] buffer, int from, int limit, boolean last) {
    int feed = Lines.feed(buffer, from, limit);
    if (feed < 0) {
      return last ? limit : -1;
    }
    if (!mayHoldString(buffer, from, feed)) {
      return feed + 1;
    }
    // A fixed limit: the result must not depend on where the buffer ends.
    int reach = Math.min(limit, from + RECORD_BYTES_MAX);
    int end = scan(buffer, LineSyntax.endOfKey(buffer, from, feed), reach);
    if (end >= 0) {
      return end + 1;
    }
    return end == MALFORMED || last || limit > reach ? feed + 1 : -1;
  }

  /** As {@link RecordFormat#lastRecordEnd}. */
  static int lastEnd(byte[] buffer, int from, int limit) {
    int feed = limit;
    while (feed > from && buffer[feed - 1] != '\n') {
      feed--;
    }
    if (!mayHoldString(buffer, from, feed)) {
      return feed;
    }
    int end = from;
    for (int next = from; next >= 0 && next < limit; next = end(buffer, next, limit, false)) {
      end = next;
      if (end >= feed) {
        break;
      }
    }
    return end;
  }

  private static boolean mayHoldString(byte[] buffer, int from, int to) {
    for (int at = from + 1; at < to; at++) {
      if (buffer[at] == '"' && buffer[at - 1] == '=') {
        return true;
      }
    }
    return false;
  }

  /** Index of the line end outside strings, from after measurement and tags on. */
  private static int scan(byte[] buffer, int from, int limit) {
    for (int at = from; at < limit; at++) {
      if (buffer[at] == '\n') {
        return at;
      }
      if (buffer[at] == '"' && buffer[at - 1] == '=') {
        at++;
        while (at < limit && buffer[at] != '"') {
          at += buffer[at] == '\\' ? 2 : 1;
        }
        if (at + 1 >= limit) {
          return OPEN;
        }
        if (", \r\n".indexOf(buffer[at + 1]) < 0) {
          return MALFORMED;
        }
      }
    }
    return OPEN;
  }
}
