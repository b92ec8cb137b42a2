package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Rejects.Reason;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of one input that follow each other, and what they hold. One thread at a time: it is filled
 * by the one that reads, taken apart by any one, given out by the first again.
 */
final class Piece {
  private static final int BUFFER_BYTES = 1 << 20;

  private final byte[] buffer = new byte[BUFFER_BYTES + Spellings.PADDING];
  private final Points points;
  private final PointBatch grouped = new PointBatch(1);
  private boolean isGrouped;

  /** Bytes not yet taken: {@code [at, limit)}. */
  private int at;

  private int limit;

  /** Place of {@code buffer[0]} in the unpacked input. */
  private long offset;

  private boolean skipping;
  private boolean ended;

  /** Whether {@link #limit} is the end of a record, though more follow. */
  private boolean cut;

  /** What is wrong with the packed bytes behind this piece, or empty. */
  private String damage = "";

  private long lines;

  /**
   * @param points of this piece alone
   */
  Piece(Points points) {
    this.points = points;
  }

  byte[] buffer() {
    return buffer;
  }

  Points points() {
    return points;
  }

  int at() {
    return at;
  }

  int limit() {
    return limit;
  }

  /** Place in the unpacked input of the first byte not taken. */
  long place() {
    return offset + at;
  }

  /** Place in the unpacked input of the buffer. */
  long offset() {
    return offset;
  }

  /** Lines that were taken. */
  long lines() {
    return lines;
  }

  /** Whether it ends in a line that is too long, and goes on behind it. */
  boolean skipping() {
    return skipping;
  }

  /** Whether it is the last of its input. */
  boolean ended() {
    return ended;
  }

  /** Begins with nothing, at a place of an input. */
  void begin(long place) {
    at = 0;
    limit = 0;
    offset = place;
    skipping = false;
    ended = false;
    cut = false;
    damage = "";
  }

  /** Begins with what a piece of the same input has from an index on. */
  void begin(Piece before, int from, boolean inLongLine) {
    begin(before.offset + from);
    limit = before.limit - from;
    skipping = inLongLine;
    System.arraycopy(before.buffer, from, buffer, 0, limit);
  }

  /** Passes bytes over that hold nothing. */
  void skip(int bytes) {
    at += bytes;
  }

  /** Room behind the bytes it has. */
  int room() {
    return BUFFER_BYTES - limit;
  }

  /** Takes bytes read behind {@link #limit}; a negative count is the end. */
  void filled(int count) {
    ended = count < 0;
    limit += Math.max(0, count);
  }

  /** Ends with what is wrong with the bytes that would follow. */
  void endDamaged(String why) {
    ended = true;
    damage = why;
  }

  /**
   * Where a piece ends so that the next one begins with a record: at {@link #limit} too if the line
   * begun is too long, or nothing follows.
   */
  int end(RecordFormat format) {
    if (ended) {
      return limit;
    }
    int end = format.lastRecordEnd(buffer, skipping ? behindLongLine() : at, limit);
    return isTooLong(end) ? limit : end;
  }

  /** Index after the line that is too long, or the limit if it goes on. */
  private int behindLongLine() {
    int feed = Lines.feed(buffer, at, limit);
    return feed < 0 ? limit : feed + 1;
  }

  /** Whether the next piece begins in a line that is too long, if this one ends there. */
  boolean cutsLongLine(int end) {
    return end == limit && !ended && limit > at && buffer[limit - 1] != '\n';
  }

  /** Two more for the line end of a record that is just short enough. */
  private boolean isTooLong(int from) {
    return limit - from > TextSource.RECORD_BYTES_MAX + 2;
  }

  /** Gives up what is behind an end, for the next piece has it. */
  void cut(int end) {
    cut = !cutsLongLine(end);
    limit = end;
  }

  /** The points taken. */
  PointBatch batch() {
    return isGrouped ? grouped : points.batch();
  }

  /** As {@link #take(RecordFormat)}, and brings the points of each series together. */
  void take(RecordFormat format, SeriesGrouping grouping) throws InputException {
    take(format);
    isGrouped = grouping.group(points.batch(), grouped);
  }

  /** Takes the records apart, as far as they are whole. */
  void take(RecordFormat format) throws InputException {
    isGrouped = false;
    points.begin(buffer);
    lines = 0;
    boolean last = (ended && damage.isEmpty()) || (cut && !ended);
    while (at < limit) {
      if (skipping) {
        at = behindLongLine();
        skipping = buffer[at - 1] != '\n';
        lines += skipping ? 0 : 1;
        continue;
      }
      long before = points.plainLines();
      at = format.readPlain(buffer, at, limit, points);
      lines += points.plainLines() - before;
      int end = at == limit ? -1 : format.recordEnd(buffer, at, limit, last);
      if (end < 0) {
        break;
      }
      take(format, end);
      lines += format.countsLines() ? Lines.count(buffer, at, end) : 1;
      at = end;
    }
    if (isTooLong(at)) {
      rejectTooLong(limit);
      lines += Lines.count(buffer, at, limit);
      skipping = true;
      at = limit;
    }
    if (!damage.isEmpty()) {
      // A line that damage has cut is none.
      points.at(lines);
      points.reject(Reason.INPUT_DAMAGED, at, damage.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Takes the record {@code [at, end)}. */
  private void take(RecordFormat format, int end) throws InputException {
    int to = end;
    if (buffer[to - 1] == '\n') {
      to--;
    }
    if (to > at && buffer[to - 1] == '\r') {
      to--;
    }
    if (to - at > TextSource.RECORD_BYTES_MAX) {
      rejectTooLong(to);
      return;
    }
    points.at(lines);
    format.read(buffer, at, to, points);
  }

  private void rejectTooLong(int to) {
    points.at(lines);
    points.reject(Reason.LINE_TOO_LONG, at, to);
  }
}
