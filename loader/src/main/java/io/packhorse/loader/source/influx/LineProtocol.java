package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * InfluxDB's line protocol, {@code measurement,tag=value field=value,field=value timestamp}. Each
 * field is a point of the metric {@code measurement.field}; {@code 1i} and {@code 1u} are integers,
 * {@code 1} is a floating-point number. Empty lines and lines that begin with # are skipped.
 *
 * <p>The fields of a line are located first and become points once its timestamp is parsed. One
 * thread.
 */
public final class LineProtocol implements RecordFormat {
  private final EpochTime time;
  private final FieldRules rules;
  private long timestampOfAll;
  private final SeriesCache hosts;
  private final SeriesCache.Rejection rejection = new SeriesCache.Rejection();
  private final LineFastPath likely;
  private final ValueReader value = new ValueReader();

  /** Start and end of name and value of each field: four indexes a field. */
  private int[] places = new int[64];

  private int fields;

  /**
   * @param time of the timestamps
   * @param rules for fields that are not numbers
   */
  public LineProtocol(SeriesReader reader, EpochTime time, FieldRules rules) {
    this(new SeriesCache(reader.forAnotherThread()), time, rules);
  }

  private LineProtocol(SeriesCache hosts, EpochTime time, FieldRules rules) {
    this.time = time;
    this.rules = rules;
    this.timestampOfAll = rules.timestampOfAll();
    this.hosts = hosts;
    this.likely = new LineFastPath(hosts, time);
  }

  /** Sets the time of lines without one, milliseconds since 1970. */
  public void setTimestampOfAll(long ms) {
    timestampOfAll = ms;
  }

  @Override
  public String description() {
    return "line protocol, timestamps in "
        + time.unit()
        + (rules.skipsText() ? "; text fields are left out" : "")
        + (rules.storesBooleans() ? "; booleans as 0 and 1" : "")
        + (rules.timestampOfAll() == FieldRules.NONE
            ? ""
            : "; lines without one at " + Instant.ofEpochMilli(rules.timestampOfAll()));
  }

  @Override
  public boolean countsLines() {
    return true;
  }

  @Override
  public int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    return LineEnds.end(buffer, from, limit, last);
  }

  @Override
  public int lastRecordEnd(byte[] buffer, int from, int limit) {
    return LineEnds.lastEnd(buffer, from, limit);
  }

  @Override
  public Optional<RecordFormat> forAnotherThread() {
    return Optional.of(new LineProtocol(hosts, time.forAnotherThread(), rules));
  }

  @Override
  public int readFastPath(byte[] buffer, int from, int limit, Points points) {
    return likely.read(buffer, from, limit, points);
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    int end = Lines.trimBlanks(buffer, from, to);
    int start = Lines.skipBlanks(buffer, from, end);
    if (start == end || buffer[start] == '#') {
      return;
    }
    int keyEnd = LineSyntax.endOfKey(buffer, start, end);
    int fieldsEnd = findFields(buffer, Lines.skipBlanks(buffer, keyEnd, end), end);
    if (fieldsEnd < 0) {
      points.reject(Reason.LINE_PROTOCOL_MALFORMED, from, to);
      return;
    }
    int timeFrom = Lines.skipBlanks(buffer, fieldsEnd, end);
    if (timeFrom == end && timestampOfAll == FieldRules.NONE) {
      points.reject(Reason.TIMESTAMP_MISSING, from, to);
      return;
    }
    long timestampMs = timeFrom == end ? timestampOfAll : time.millis(buffer, timeFrom, end);
    if (timestampMs < 0) {
      points.reject(TimeReader.reason(timestampMs), from, to);
      return;
    }
    int host = hosts.find(buffer, start, keyEnd, rejection);
    if (host == SeriesCache.REJECTED) {
      points.reject(rejection.reason(), from, to);
      return;
    }
    if (host != SeriesCache.UNCACHED) {
      likely.record(host, buffer, start, keyEnd);
    }
    for (int field = 0; field < fields; field++) {
      readField(buffer, host, start, keyEnd, field, timestampMs, points);
    }
  }

  /** Locates every field; index after the last, or -1 if they are malformed. */
  private int findFields(byte[] buffer, int from, int to) {
    fields = 0;
    int at = from;
    while (true) {
      int nameEnd = LineSyntax.endOfName(buffer, at, to);
      int valueEnd = nameEnd < 0 ? -1 : LineSyntax.endOfValue(buffer, nameEnd + 1, to);
      if (valueEnd < 0) {
        return -1;
      }
      if (4 * fields == places.length) {
        places = Arrays.copyOf(places, 2 * places.length);
      }
      places[4 * fields] = at;
      places[4 * fields + 1] = nameEnd;
      places[4 * fields + 2] = nameEnd + 1;
      places[4 * fields + 3] = valueEnd;
      fields++;
      if (valueEnd == to || buffer[valueEnd] != ',') {
        return valueEnd;
      }
      at = valueEnd + 1;
    }
  }

  private void readField(
      byte[] buffer, int host, int keyFrom, int keyTo, int field, long timestampMs, Points points) {
    int nameFrom = places[4 * field];
    int nameTo = places[4 * field + 1];
    int valueTo = places[4 * field + 3];
    Reason reason = readValue(buffer, places[4 * field + 2], valueTo);
    if (reason == Reason.VALUE_TEXT && rules.skipsText() && buffer[valueTo - 1] == '"') {
      points.leaveOut();
      return;
    }
    int series = 0;
    if (reason == null) {
      series =
          host == SeriesCache.UNCACHED
              ? hosts.seriesOfUncached(buffer, keyFrom, keyTo, nameFrom, nameTo, rejection)
              : hosts.series(host, buffer, keyFrom, keyTo, nameFrom, nameTo, field, rejection);
      reason = series == SeriesReader.REJECTED ? rejection.reason() : null;
    }
    if (reason == null) {
      points.add(series, timestampMs, value.bits(), value.isDouble());
    } else {
      points.reject(reason, nameFrom, valueTo);
    }
  }

  private @Nullable Reason readValue(byte[] buffer, int from, int to) {
    return switch (buffer[to - 1]) {
      case 'i', 'u' -> value.readInteger(buffer, from, to - 1);
      case '"', 't', 'T', 'f', 'F', 'e', 'E' -> readBoolean(buffer, from, to);
      default -> value.readFloating(buffer, from, to);
    };
  }

  private @Nullable Reason readBoolean(byte[] buffer, int from, int to) {
    if (rules.storesBooleans()) {
      switch (new String(buffer, from, to - from, StandardCharsets.ISO_8859_1)) {
        case "t", "T", "true", "True", "TRUE" -> {
          value.integer(1);
          return null;
        }
        case "f", "F", "false", "False", "FALSE" -> {
          value.integer(0);
          return null;
        }
        default -> {}
      }
    }
    return Reason.VALUE_TEXT;
  }
}
