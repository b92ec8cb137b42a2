package io.packhorse.loader.source;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.ImportLinesSource.Input;
import io.packhorse.loader.source.Rejects.Reason;
import io.packhorse.schema.key.BaseTime;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Points of one series from text, {@code timestamp value} on each line, separated by blanks, a
 * comma or a semicolon. Values are read as {@link LineValue} reads those of import lines; empty
 * lines and lines that begin with # are passed over, gzip is recognised, and what is no point
 * becomes a reject.
 *
 * <p>With an interval, timestamps do not count and may be missing: the points lie so far apart,
 * from a full hour on, in the order of the lines.
 *
 * <p>One thread.
 */
public final class TwoColumnSource implements PointSource {
  private static final int BATCH_POINTS = 8192;
  private static final long FIRST_MS = BaseTime.HOUR_SECONDS * 1000L;

  private final String name;
  private final LineReader lines;
  private final int series;
  private final TimestampUnit unit;
  private final long intervalMs;
  private final Rejects rejects;
  private final LineValue value = new LineValue();
  private final PointBatch batch = new PointBatch(BATCH_POINTS);
  private long nextMs = FIRST_MS;

  /** Where the words of the line being read begin and end. */
  private final int[] from = new int[2];

  private final int[] to = new int[2];

  /**
   * Opens the input.
   *
   * @param series number of the one series
   * @param intervalMs milliseconds between points, or 0 for their timestamps
   * @throws ImportLinesException if the input cannot be opened
   */
  public TwoColumnSource(
      Input input, int series, TimestampUnit unit, long intervalMs, Rejects rejects)
      throws ImportLinesException {
    this.name = input.name();
    this.lines = open(input);
    this.series = series;
    this.unit = unit;
    this.intervalMs = intervalMs;
    this.rejects = rejects;
  }

  /**
   * Whether the first line that says anything has at most two words, so that the input is one for
   * this class rather than one of import lines. An input that says nothing is one.
   */
  public static boolean reads(Input input) throws ImportLinesException {
    try (LineReader lines = open(input)) {
      while (lines.next()) {
        int start = firstWord(lines);
        if (start < lines.length()) {
          return countWords(lines.bytes(), start, lines.length(), new int[2], new int[2]) <= 2;
        }
      }
      return true;
    } catch (ImportLinesException e) {
      throw e;
    } catch (IOException e) {
      throw new ImportLinesException(input.name() + " cannot be read", e);
    }
  }

  private static LineReader open(Input input) throws ImportLinesException {
    try {
      return new LineReader(ImportLinesSource.unpacked(input.opener().open()));
    } catch (IOException e) {
      throw new ImportLinesException(input.name() + " cannot be read", e);
    }
  }

  @Override
  public @Nullable PointBatch next() throws ImportLinesException {
    batch.clear();
    while (batch.points() < BATCH_POINTS && nextLine()) {
      int start = firstWord(lines);
      if (start < lines.length()) {
        Reason reason = lines.tooLong() ? Reason.LINE_TOO_LONG : read(start);
        if (reason != null) {
          rejects.add(
              name, lines.number(), lines.offset(), reason, lines.bytes(), 0, lines.length());
        }
      }
    }
    return batch.points() == 0 ? null : batch;
  }

  private boolean nextLine() throws ImportLinesException {
    try {
      return lines.next();
    } catch (IOException e) {
      throw new ImportLinesException(
          name + " cannot be read any further at line " + (lines.number() + 1), e);
    }
  }

  /** Takes the point of the line; null, or why it is none. */
  private @Nullable Reason read(int start) {
    byte[] bytes = lines.bytes();
    int words = countWords(bytes, start, lines.length(), from, to);
    int last = words - 1;
    if (words > 2
        || (words == 1 && intervalMs == 0)
        || from[0] == to[0]
        || from[last] == to[last]) {
      return Reason.NOT_TWO_WORDS;
    }
    long time = intervalMs > 0 ? nextMs : unit.millis(bytes, from[0], to[0]);
    if (time < 0) {
      return time == LineTime.OUT_OF_RANGE
          ? Reason.TIMESTAMP_OUT_OF_RANGE
          : Reason.TIMESTAMP_MALFORMED;
    }
    if (time > BaseTime.MAX_MS) {
      return Reason.TIMESTAMP_OUT_OF_RANGE;
    }
    Reason reason = value.read(bytes, from[last], to[last]);
    if (reason == null) {
      batch.add(series, time, value.bits(), value.isDouble());
      nextMs += intervalMs;
    }
    return reason;
  }

  /** Index of the first byte of a line that says something, or its length. */
  private static int firstWord(LineReader lines) {
    int at = LineParser.skipBlanks(lines.bytes(), 0, lines.length());
    return at < lines.length() && lines.bytes()[at] == '#' ? lines.length() : at;
  }

  /** Number of words from the first one on; the places of the first two go into the arrays. */
  private static int countWords(byte[] bytes, int start, int end, int[] from, int[] to) {
    int count = 0;
    int at = start;
    while (at < end) {
      int word = at;
      while (at < end && !LineParser.isBlank(bytes[at]) && !isSeparator(bytes[at])) {
        at++;
      }
      if (count < from.length) {
        from[count] = word;
        to[count] = at;
      }
      count++;
      at = LineParser.skipBlanks(bytes, at, end);
      if (at < end && isSeparator(bytes[at])) {
        at = LineParser.skipBlanks(bytes, at + 1, end);
      }
    }
    return count;
  }

  private static boolean isSeparator(byte b) {
    return b == ',' || b == ';';
  }

  @Override
  public void close() throws ImportLinesException {
    try {
      lines.close();
    } catch (IOException e) {
      throw new ImportLinesException(name + " cannot be closed", e);
    }
  }
}
