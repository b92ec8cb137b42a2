package io.packhorse.loader.source.openmetrics;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.RecordFormat;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Samples of OpenMetrics or Prometheus text, <code>metric{label="value",...} value timestamp</code>
 * , also with the metric among the labels, as {@code promtool tsdb dump} writes it. Lines that
 * begin with # are skipped, and so is an exemplar after a sample. Labels with an empty value are
 * left out. One thread.
 */
public final class OpenMetrics implements RecordFormat {
  /** Instead of a timestamp. */
  public static final long NONE = 0;

  private final SeriesReader reader;
  private final EpochTime time;
  private final long timestampOfAll;
  private final ByteKeyIndex known;
  private final ValueReader value = new ValueReader();
  private int series;
  private long timestampMs;

  public OpenMetrics(SeriesReader reader, EpochTime time) {
    this(reader, time, NONE);
  }

  /**
   * One that gives samples without a timestamp one.
   *
   * @param timestampOfAll milliseconds since 1970, or {@link #NONE} to reject such samples
   */
  public OpenMetrics(SeriesReader reader, EpochTime time, long timestampOfAll) {
    this(reader, time, timestampOfAll, new ByteKeyIndex());
  }

  private OpenMetrics(
      SeriesReader reader, EpochTime time, long timestampOfAll, ByteKeyIndex known) {
    this.timestampOfAll = timestampOfAll;
    this.reader = reader;
    this.time = time;
    this.known = known;
  }

  @Override
  public Optional<RecordFormat> forAnotherThread() {
    return Optional.of(
        new OpenMetrics(reader.forAnotherThread(), time.forAnotherThread(), timestampOfAll, known));
  }

  @Override
  public boolean isOneLineEach() {
    return true;
  }

  @Override
  public String description() {
    return "OpenMetrics or Prometheus text, timestamps in "
        + time.unit()
        + (timestampOfAll == NONE
            ? ""
            : "; samples without one at " + Instant.ofEpochMilli(timestampOfAll));
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    int end = Lines.trimBlanks(buffer, from, to);
    int start = Lines.skipBlanks(buffer, from, end);
    if (start == end || buffer[start] == '#') {
      return;
    }
    Reason reason = readSample(buffer, start, end);
    if (reason == null) {
      points.add(series, timestampMs, value.bits(), value.isDouble());
    } else {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readSample(byte[] buffer, int from, int to) {
    int nameTo = from;
    while (nameTo < to && buffer[nameTo] != '{' && !Lines.isBlank(buffer[nameTo])) {
      nameTo++;
    }
    int labelsFrom = Lines.skipBlanks(buffer, nameTo, to);
    int labelsTo = labelsFrom;
    if (labelsFrom < to && buffer[labelsFrom] == '{') {
      labelsTo = Labels.end(buffer, labelsFrom + 1, to);
    }
    if (labelsTo < 0 || labelsTo == from) {
      return Reason.SAMPLE_MALFORMED;
    }
    int valueFrom = Lines.skipBlanks(buffer, labelsTo, to);
    int valueTo = Lines.endOfWord(buffer, valueFrom, to);
    int timeFrom = Lines.skipBlanks(buffer, valueTo, to);
    int timeTo = Lines.endOfWord(buffer, timeFrom, to);
    int rest = Lines.skipBlanks(buffer, timeTo, to);
    if (valueFrom == to || (rest < to && buffer[rest] != '#')) {
      return Reason.SAMPLE_MALFORMED;
    }
    if (timeFrom == to || buffer[timeFrom] == '#') {
      if (timestampOfAll == NONE) {
        return Reason.TIMESTAMP_MISSING;
      }
      timestampMs = timestampOfAll;
    } else {
      timestampMs = time.millisOfFloating(buffer, timeFrom, timeTo);
    }
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    Reason reason = value.read(buffer, valueFrom, valueTo);
    if (reason != null) {
      return reason;
    }
    series = known.find(buffer, from, nameTo, labelsFrom, labelsTo);
    return series == ByteKeyIndex.UNKNOWN
        ? readSeries(buffer, from, nameTo, labelsFrom, labelsTo)
        : null;
  }

  private @Nullable Reason readSeries(
      byte[] buffer, int nameFrom, int nameTo, int labelsFrom, int labelsTo) {
    String name = reader.text(buffer, nameFrom, nameTo);
    String labels = name == null ? null : reader.text(buffer, labelsFrom, labelsTo);
    if (name == null || labels == null) {
      return reader.reason();
    }
    reader.begin();
    Labels parts = new Labels(labels);
    while (parts.next()) {
      if (name.isEmpty() && parts.key().equals(Labels.NAME)) {
        name = parts.value();
      } else if (!parts.value().isEmpty() && !reader.tag(parts.key(), parts.value())) {
        return reader.reason();
      }
    }
    if (parts.malformed() || name.isEmpty()) {
      return Reason.SAMPLE_MALFORMED;
    }
    series = reader.endTags() ? reader.series(name) : SeriesReader.REJECTED;
    if (series == SeriesReader.REJECTED) {
      return reader.reason();
    }
    if (series < 0 || known.hasRoom(reader.seriesSoFar())) {
      known.add(buffer, nameFrom, nameTo, labelsFrom, labelsTo, series);
    }
    return null;
  }
}
