package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.charset.StandardCharsets;

/**
 * Consecutive bytes of one input, and the points parsed from them. One thread at a time: the reader
 * fills it, any thread parses it, and the reader returns its points.
 */
final class TextChunk {
  private static final int BUFFER_BYTES = 1 << 20;

  private final byte[] buffer = new byte[BUFFER_BYTES + ByteKeyIndex.PADDING];
  private final Points points;
  private final PointBatch grouped = new PointBatch(1);
  private boolean isGrouped;

  /** Bytes not yet parsed: {@code [at, limit)}. */
  private int at;

  private int limit;

  /** Position of {@code buffer[0]} in the uncompressed input. */
  private long offset;

  private boolean skipping;
  private boolean ended;

  /** Whether {@link #limit} is the end of a record, and more records follow. */
  private boolean cut;

  /** How the compressed input is damaged after this chunk, or empty. */
  private String damage = "";

  private long lines;

  /** Lines skipped before the first record. */
  private long skippedLines;

  /**
   * @param points collects what is parsed; of this chunk alone
   */
  TextChunk(Points points) {
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

  /** Position in the uncompressed input of the first byte not parsed. */
  long place() {
    return offset + at;
  }

  /** Position in the uncompressed input of the buffer. */
  long offset() {
    return offset;
  }

  /** Lines parsed. */
  long lines() {
    return lines;
  }

  /** Whether it ends inside a line that is too long, which the next chunk skips. */
  boolean skipping() {
    return skipping;
  }

  /** Whether it is the last chunk of its input. */
  boolean ended() {
    return ended;
  }

  /** Begins empty, at a position of an input. */
  void begin(long place) {
    at = 0;
    limit = 0;
    offset = place;
    skipping = false;
    ended = false;
    cut = false;
    damage = "";
    skippedLines = 0;
  }

  /** Begins with the bytes that the chunk before has from an index on. */
  void begin(TextChunk before, int from, boolean inLongLine) {
    begin(before.offset + from);
    limit = before.limit - from;
    skipping = inLongLine;
    System.arraycopy(before.buffer, from, buffer, 0, limit);
  }

  /** Is the end of the input, and as damaged, if the chunk that it is cut from is. */
  void endLike(TextChunk before) {
    ended = before.ended;
    damage = before.damage;
  }

  /** Skips bytes. */
  void skip(int bytes) {
    at += bytes;
  }

  /** Skips the lines before an index, which count. */
  void skipLines(int to) {
    skippedLines = Lines.count(buffer, at, to);
    at = to;
  }

  /** Free bytes at the end of the buffer. */
  int room() {
    return BUFFER_BYTES - limit;
  }

  /** Counts bytes read to {@link #limit}; a negative count is the end of the input. */
  void filled(int count) {
    ended = count < 0;
    limit += Math.max(0, count);
  }

  /** Ends the input here, because what follows is damaged. */
  void endDamaged(String why) {
    ended = true;
    damage = why;
  }

  /**
   * Index at which to cut, so that the next chunk begins with a record: {@link #limit} if the last
   * line is too long, or nothing follows.
   */
  int end(RecordFormat format) {
    if (ended) {
      return limit;
    }
    int end = format.lastRecordEnd(buffer, skipping ? behindLongLine() : at, limit);
    return isTooLong(end) ? limit : end;
  }

  /**
   * Where to cut off the next piece of this chunk: the index after the last record that ends within
   * the next {@code bytes} bytes. Returns {@link #at} or less if no record ends there, and {@link
   * #at} if the rest of the chunk is not longer than a piece.
   */
  int pieceEnd(RecordFormat format, int bytes) {
    return skipping || limit - at <= bytes ? at : format.lastRecordEnd(buffer, at, at + bytes);
  }

  /** Leaves what is behind a record to the next chunk, the end of the input included. */
  void leave(TextChunk next, int end) {
    next.begin(this, end, false);
    next.endLike(this);
    ended = false;
    damage = "";
    cut(end);
  }

  /** Index after the line that is too long, or the limit if it does not end here. */
  private int behindLongLine() {
    int feed = Lines.feed(buffer, at, limit);
    return feed < 0 ? limit : feed + 1;
  }

  /** Whether cutting here leaves the next chunk inside a line that is too long. */
  boolean cutsLongLine(int end) {
    return end == limit && !ended && limit > at && buffer[limit - 1] != '\n';
  }

  /** Two more for the line end of a record that is just short enough. */
  private boolean isTooLong(int from) {
    return limit - from > Rejects.RECORD_BYTES_MAX + 2;
  }

  /** Cuts the chunk at an index; the next chunk has a copy of the rest. */
  void cut(int end) {
    cut = !cutsLongLine(end);
    limit = end;
  }

  /** The points parsed. */
  PointBatch batch() {
    return isGrouped ? grouped : points.batch();
  }

  /** As {@link #parse(RecordFormat)}, then groups the points by series. */
  void parse(RecordFormat format, SeriesGrouping grouping) throws InputException {
    parse(format);
    isGrouped = grouping.group(points.batch(), grouped);
  }

  /** Parses the records that are complete. */
  void parse(RecordFormat format) throws InputException {
    isGrouped = false;
    points.begin(buffer);
    lines = skippedLines;
    skippedLines = 0;
    boolean last = (ended && damage.isEmpty()) || (cut && !ended);
    while (at < limit) {
      if (skipping) {
        at = behindLongLine();
        skipping = buffer[at - 1] != '\n';
        lines += skipping ? 0 : 1;
        continue;
      }
      long before = points.fastPathLines();
      at = format.readFastPath(buffer, at, limit, points);
      lines += points.fastPathLines() - before;
      int end = at == limit ? -1 : format.recordEnd(buffer, at, limit, last);
      if (end < 0) {
        break;
      }
      parseRecord(format, end);
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
      // A line cut by the damage is not parsed: it may look complete and be wrong.
      points.at(lines);
      points.reject(Reason.INPUT_DAMAGED, at, damage.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Parses the record {@code [at, end)}. */
  private void parseRecord(RecordFormat format, int end) throws InputException {
    points.at(lines);
    TextRecords.read(format, buffer, at, end, points);
  }

  private void rejectTooLong(int to) {
    points.at(lines);
    points.reject(Reason.LINE_TOO_LONG, at, to);
  }
}
