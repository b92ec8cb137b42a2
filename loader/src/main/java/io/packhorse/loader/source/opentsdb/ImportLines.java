package io.packhorse.loader.source.opentsdb;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.ShortNumber;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.TimestampFastPath;
import java.util.Optional;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's import lines, {@code metric timestamp value tag=value ...}, with or without {@code
 * put} before them, words separated by spaces and tabs. Empty lines and lines that begin with # are
 * skipped. One thread.
 */
public final class ImportLines implements RecordFormat {
  private static final int PUT_LENGTH = 4;

  /** Bytes of a fast-path line at most, beside metric and tags: put, time, value, line end. */
  private static final int PLAIN_BYTES_MAX = 56;

  private final SeriesReader reader;
  private final EpochTime time;
  private final ByteKeyIndex known;
  private final SeriesFastPath likely;
  private final TimestampFastPath likelyTime;
  private final ValueReader value = new ValueReader();
  private final ShortNumber number = new ShortNumber();
  private int series;
  private long timestampMs;

  public ImportLines(SeriesReader reader, EpochTime time) {
    this(reader, time, new ByteKeyIndex());
  }

  private ImportLines(SeriesReader reader, EpochTime time, ByteKeyIndex known) {
    this.reader = reader;
    this.time = time;
    this.known = known;
    this.likely = new SeriesFastPath(known);
    this.likelyTime = new TimestampFastPath(time);
  }

  @Override
  public String description() {
    return "OpenTSDB import lines, timestamps in " + time.unit();
  }

  @Override
  public Optional<RecordFormat> forAnotherThread() {
    return Optional.of(new ImportLines(reader.forAnotherThread(), time.forAnotherThread(), known));
  }

  @Override
  public boolean isOneLineEach() {
    return true;
  }

  /** Parses lines of the series expected next, with single spaces and a short number. */
  @Override
  public int readFastPath(byte[] buffer, int from, int limit, Points points) {
    int at = from;
    for (int next = likely.next(); next >= 0; next = likely.next()) {
      byte[] spelling = likely.spelling(next);
      if (limit - at < spelling.length + PLAIN_BYTES_MAX) {
        break;
      }
      int metricEnd = likely.metricLength(next) + 1;
      int start = startsWithPut(buffer, at, limit) ? at + PUT_LENGTH : at;
      int timeFrom = start + metricEnd;
      if (!Lines.startsWith(buffer, start, spelling, 0, metricEnd)
          || !likelyTime.read(buffer, timeFrom)
          || buffer[timeFrom + likelyTime.length()] != ' ') {
        break;
      }
      int valueTo = number.read(buffer, timeFrom + likelyTime.length() + 1);
      if (valueTo < 0
          || buffer[valueTo] != ' '
          || !Lines.startsWith(buffer, valueTo + 1, spelling, metricEnd, spelling.length)) {
        break;
      }
      int end = valueTo + 1 + spelling.length - metricEnd;
      end += buffer[end] == '\r' ? 1 : 0;
      if (buffer[end] != '\n') {
        break;
      }
      points.add(next, likelyTime.millis(), number.bits(), number.hasDecimals());
      points.countFastPathLine();
      likely.recordExpected(next);
      at = end + 1;
    }
    return at;
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    int textTo = Lines.trimBlanks(buffer, from, to);
    int textFrom = Lines.skipBlanks(buffer, from, textTo);
    if (textFrom == textTo || buffer[textFrom] == '#') {
      return;
    }
    Reason reason = readText(buffer, textFrom, textTo);
    if (reason == null) {
      points.add(series, timestampMs, value.bits(), value.isDouble());
    } else {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readText(byte[] buffer, int from, int to) {
    if (!startsWithPut(buffer, from, to)) {
      return readPoint(buffer, from, to);
    }
    Reason reason = readPoint(buffer, Lines.skipBlanks(buffer, from + 3, to), to);
    // The metric may be named put: only one of the two readings can be valid.
    return reason == null || readPoint(buffer, from, to) == null ? null : reason;
  }

  private @Nullable Reason readPoint(byte[] buffer, int from, int to) {
    int metricTo = Lines.endOfWord(buffer, from, to);
    int timeFrom = Lines.skipBlanks(buffer, metricTo, to);
    int timeTo = Lines.endOfWord(buffer, timeFrom, to);
    int valueFrom = Lines.skipBlanks(buffer, timeTo, to);
    int valueTo = Lines.endOfWord(buffer, valueFrom, to);
    int tagsFrom = Lines.skipBlanks(buffer, valueTo, to);
    if (valueFrom == to) {
      return Reason.TOO_FEW_WORDS;
    }
    timestampMs = time.millis(buffer, timeFrom, timeTo);
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    Reason reason = value.read(buffer, valueFrom, valueTo);
    if (reason != null) {
      return reason;
    }
    series = known.find(buffer, from, metricTo, tagsFrom, to);
    if (series == ByteKeyIndex.UNKNOWN) {
      reason = readSeries(buffer, from, metricTo, tagsFrom, to);
    }
    if (reason == null && series >= 0) {
      likely.record(series, buffer, from, metricTo, tagsFrom, to);
    }
    return reason;
  }

  private @Nullable Reason readSeries(
      byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    String metric = reader.text(buffer, metricFrom, metricTo);
    String tags = metric == null ? null : reader.text(buffer, tagsFrom, tagsTo);
    if (metric == null || tags == null) {
      return reader.reason();
    }
    reader.begin();
    StringTokenizer words = new StringTokenizer(tags, " \t");
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      int equals = word.indexOf('=');
      if (equals < 1 || equals == word.length() - 1 || word.indexOf('=', equals + 1) >= 0) {
        return Reason.TAG_MALFORMED;
      }
      if (!reader.tag(word.substring(0, equals), word.substring(equals + 1))) {
        return reader.reason();
      }
    }
    series = reader.endTags() ? reader.series(metric) : SeriesReader.REJECTED;
    if (series == SeriesReader.REJECTED) {
      return reader.reason();
    }
    if (series < 0 || known.hasRoom(reader.seriesSoFar())) {
      known.add(buffer, metricFrom, metricTo, tagsFrom, tagsTo, series);
    }
    return null;
  }

  private static boolean startsWithPut(byte[] buffer, int from, int to) {
    return to - from > 3
        && buffer[from] == 'p'
        && buffer[from + 1] == 'u'
        && buffer[from + 2] == 't'
        && Lines.isBlank(buffer[from + 3]);
  }
}
