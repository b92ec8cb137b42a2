package io.packhorse.loader.source;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.Rejects.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Reads one import line, {@code metric timestamp value tag=value ...}, with or without {@code put}
 * before it, words separated by spaces and tabs. One thread; holds the last point read.
 */
final class LineParser {
  private final SeriesNames names;
  private final LineSeries series = new LineSeries();
  private final LineNames lineNames = new LineNames();
  private final LineValue value = new LineValue();
  private int seriesId;
  private long timestampMs;

  /**
   * @param names gets every series met
   */
  LineParser(SeriesNames names) {
    this.names = names;
  }

  /** Series of the point. */
  int seriesId() {
    return seriesId;
  }

  /** Time of the point, milliseconds since 1970. */
  long timestampMs() {
    return timestampMs;
  }

  /** The point's integer, or the raw bits of its double. */
  long bits() {
    return value.bits();
  }

  boolean isDouble() {
    return value.isDouble();
  }

  /**
   * Reads the line {@code [from, to)}, which neither begins nor ends with a blank and is not empty.
   * {@link LineSeries#PADDING} bytes behind it must be readable.
   *
   * @return null if the line is a point, else why not
   */
  @Nullable Reason read(byte[] buffer, int from, int to) {
    if (!startsWithPut(buffer, from, to)) {
      return readPoint(buffer, from, to);
    }
    Reason reason = readPoint(buffer, skipBlanks(buffer, from + 3, to), to);
    // It may be a metric named put; only one of the two readings can be a point.
    return reason == null || readPoint(buffer, from, to) == null ? null : reason;
  }

  private @Nullable Reason readPoint(byte[] buffer, int from, int to) {
    int metricTo = endOfWord(buffer, from, to);
    int timeFrom = skipBlanks(buffer, metricTo, to);
    int timeTo = endOfWord(buffer, timeFrom, to);
    int valueFrom = skipBlanks(buffer, timeTo, to);
    int valueTo = endOfWord(buffer, valueFrom, to);
    int tagsFrom = skipBlanks(buffer, valueTo, to);
    if (valueFrom == to) {
      return Reason.TOO_FEW_WORDS;
    }
    timestampMs = LineTime.millis(buffer, timeFrom, timeTo);
    if (timestampMs < 0) {
      return timestampMs == LineTime.OUT_OF_RANGE
          ? Reason.TIMESTAMP_OUT_OF_RANGE
          : Reason.TIMESTAMP_MALFORMED;
    }
    Reason reason = value.read(buffer, valueFrom, valueTo);
    if (reason != null) {
      return reason;
    }
    if (tagsFrom == to) {
      return Reason.NO_TAG;
    }
    seriesId = series.find(buffer, from, metricTo, tagsFrom, to);
    return seriesId == LineSeries.UNKNOWN ? readSeries(buffer, from, metricTo, tagsFrom, to) : null;
  }

  private @Nullable Reason readSeries(
      byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    SeriesName name = lineNames.read(buffer, metricFrom, metricTo, tagsFrom, tagsTo);
    if (name == null) {
      return lineNames.reason();
    }
    seriesId = names.intern(name);
    series.add(buffer, metricFrom, metricTo, tagsFrom, tagsTo, seriesId);
    return null;
  }

  private static boolean startsWithPut(byte[] buffer, int from, int to) {
    return to - from > 3
        && buffer[from] == 'p'
        && buffer[from + 1] == 'u'
        && buffer[from + 2] == 't'
        && isBlank(buffer[from + 3]);
  }

  private static int endOfWord(byte[] buffer, int from, int to) {
    int at = from;
    while (at < to && !isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  static int skipBlanks(byte[] buffer, int from, int to) {
    int at = from;
    while (at < to && isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
