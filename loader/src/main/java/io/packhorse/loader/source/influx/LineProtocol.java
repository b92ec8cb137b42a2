package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.LineTime;
import io.packhorse.loader.source.text.LineValue;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.TimeReader;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * InfluxDB's line protocol, {@code measurement,tag=value field=value,field=value timestamp}. Each
 * field is a point of the metric {@code measurement.field}; {@code 1i} and {@code 1u} are integers,
 * {@code 1} is a floating-point number, text and truth values are rejects. Empty lines and lines
 * that begin with # are passed over.
 *
 * <p>The fields of a line are found first and become points once its timestamp is known to be good.
 * One thread.
 */
public final class LineProtocol implements RecordFormat {
  private final LineTime time;
  private final Hosts hosts;
  private final Hosts.Refusal refusal = new Hosts.Refusal();
  private final LikelyLines likely;
  private final LineValue value = new LineValue();

  /** Where name and value of each field of the line begin and end: four numbers a field. */
  private int[] places = new int[64];

  private int fields;

  /**
   * @param time of the timestamps
   */
  public LineProtocol(SeriesReader reader, LineTime time) {
    this(new Hosts(reader.another()), time);
  }

  private LineProtocol(Hosts hosts, LineTime time) {
    this.time = time;
    this.hosts = hosts;
    this.likely = new LikelyLines(hosts, time);
  }

  @Override
  public String description() {
    return "line protocol, timestamps in " + time.unit();
  }

  @Override
  public Optional<RecordFormat> another() {
    return Optional.of(new LineProtocol(hosts, new LineTime(time.unit())));
  }

  @Override
  public int readPlain(byte[] buffer, int from, int limit, Points points) {
    return likely.read(buffer, from, limit, points);
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    int end = Lines.trimBlanks(buffer, from, to);
    int start = Lines.skipBlanks(buffer, from, end);
    if (start == end || buffer[start] == '#') {
      return;
    }
    int keyEnd = Syntax.endOfKey(buffer, start, end);
    int fieldsEnd = findFields(buffer, Lines.skipBlanks(buffer, keyEnd, end), end);
    if (fieldsEnd < 0) {
      points.reject(Reason.LINE_PROTOCOL_MALFORMED, from, to);
      return;
    }
    int timeFrom = Lines.skipBlanks(buffer, fieldsEnd, end);
    if (timeFrom == end) {
      points.reject(Reason.TIMESTAMP_MISSING, from, to);
      return;
    }
    long timestampMs = time.millis(buffer, timeFrom, end);
    if (timestampMs < 0) {
      points.reject(TimeReader.reason(timestampMs), from, to);
      return;
    }
    int host = hosts.find(buffer, start, keyEnd, refusal);
    if (host == Hosts.REJECTED) {
      points.reject(refusal.reason(), from, to);
      return;
    }
    if (host != Hosts.PASSING) {
      likely.met(host, buffer, start, keyEnd);
    }
    for (int field = 0; field < fields; field++) {
      readField(buffer, host, start, keyEnd, field, timestampMs, points);
    }
  }

  /** Notes every field; index after the last, or -1 if they are none. */
  private int findFields(byte[] buffer, int from, int to) {
    fields = 0;
    int at = from;
    while (true) {
      int nameEnd = Syntax.endOfName(buffer, at, to);
      int valueEnd = nameEnd < 0 ? -1 : Syntax.endOfValue(buffer, nameEnd + 1, to);
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
    int series = 0;
    if (reason == null) {
      series =
          host == Hosts.PASSING
              ? hosts.seriesInPassing(buffer, keyFrom, keyTo, nameFrom, nameTo, refusal)
              : hosts.series(host, buffer, keyFrom, keyTo, nameFrom, nameTo, field, refusal);
      reason = series == SeriesReader.REJECTED ? refusal.reason() : null;
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
      case '"', 't', 'T', 'f', 'F', 'e', 'E' -> Reason.VALUE_TEXT;
      default -> value.readFloating(buffer, from, to);
    };
  }
}
