package io.packhorse.loader.source.opentsdb;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.schema.key.BaseTime;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Points of one series, {@code timestamp value} on each line, separated by blanks, a comma or a
 * semicolon. Values are parsed as in import lines; empty lines and lines that begin with # are
 * skipped.
 *
 * <p>With an interval, timestamps are ignored and may be missing: the points are placed that far
 * apart, from a full hour on, in the order of the lines.
 *
 * <p>One thread.
 */
public final class TwoColumns implements RecordFormat {
  private static final Pattern NUMBER = Pattern.compile("[-+.\\d][.\\d]*");
  private static final long FIRST_MS = BaseTime.HOUR_SECONDS * 1000L;

  private final int series;
  private final EpochTime time;
  private final long intervalMs;
  private final ValueReader value = new ValueReader();
  private long nextMs = FIRST_MS;

  /** Start and end of the words of the current line. */
  private final int[] from = new int[2];

  private final int[] to = new int[2];

  /**
   * @param series number of the one series
   * @param intervalMs milliseconds between points, or 0 for their timestamps
   */
  public TwoColumns(int series, EpochTime time, long intervalMs) {
    this.series = series;
    this.time = time;
    this.intervalMs = intervalMs;
  }

  /**
   * Whether an input has this format: its first line with content has at most two words, and so has
   * the second line if the first is a heading. An empty input has it too.
   *
   * @param placed whether the points are placed an interval apart
   */
  public static boolean fits(InputHead head, boolean placed) {
    List<String[]> lines =
        head.lines().stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .limit(2)
            .map(line -> line.split("[ \t]*[,;][ \t]*|[ \t]+", -1))
            .toList();
    if (lines.size() < 2 || placed || NUMBER.matcher(lines.get(0)[0]).matches()) {
      return lines.isEmpty() || lines.get(0).length <= 2;
    }
    String[] second = lines.get(1);
    return lines.get(0).length <= 2 && second.length <= 2 && NUMBER.matcher(second[0]).matches();
  }

  @Override
  public String description() {
    return "one series of two columns, timestamps in " + time.unit();
  }

  @Override
  public void read(byte[] buffer, int lineFrom, int lineTo, Points points) throws InputException {
    int start = Lines.skipBlanks(buffer, lineFrom, lineTo);
    if (start == lineTo || buffer[start] == '#') {
      return;
    }
    Reason reason = readPoint(buffer, start, lineTo, points);
    if (reason != null) {
      points.reject(reason, lineFrom, lineTo);
    }
  }

  private @Nullable Reason readPoint(byte[] buffer, int start, int end, Points points) {
    int words = findWords(buffer, start, end);
    int last = words - 1;
    if (words > 2
        || (words == 1 && intervalMs == 0)
        || from[0] == to[0]
        || from[last] == to[last]) {
      return Reason.NOT_TWO_WORDS;
    }
    long timestampMs = intervalMs > 0 ? nextMs : time.millis(buffer, from[0], to[0]);
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    if (timestampMs > BaseTime.MAX_MS) {
      return Reason.TIMESTAMP_OUT_OF_RANGE;
    }
    Reason reason = value.read(buffer, from[last], to[last]);
    if (reason == null) {
      points.add(series, timestampMs, value.bits(), value.isDouble());
      nextMs += intervalMs;
    }
    return reason;
  }

  /** Counts the words, and locates the first two. */
  private int findWords(byte[] bytes, int start, int end) {
    int count = 0;
    int at = start;
    while (at < end) {
      int word = at;
      while (at < end && !Lines.isBlank(bytes[at]) && !isSeparator(bytes[at])) {
        at++;
      }
      if (count < from.length) {
        from[count] = word;
        to[count] = at;
      }
      count++;
      at = Lines.skipBlanks(bytes, at, end);
      if (at < end && isSeparator(bytes[at])) {
        at = Lines.skipBlanks(bytes, at + 1, end);
      }
    }
    return count;
  }

  private static boolean isSeparator(byte b) {
    return b == ',' || b == ';';
  }
}
