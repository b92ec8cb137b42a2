package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.Spellings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Series by measurement, tags and field. One look-up finds the host, that is measurement and tags
 * as they are spelled in a line; its fields mostly stand in the order of the measurement's first
 * line, and then comparing their names is all. One thread.
 */
final class Hosts {
  private final SeriesReader reader;
  private final Spellings knownHosts = new Spellings();
  private final Spellings knownMeasurements = new Spellings();
  private final List<Measurement> measurements = new ArrayList<>();

  /** Of each host its measurement. */
  private Measurement[] measurementOf = new Measurement[1024];

  /** Of each host the numbers of its series plus one, by field; 0 where not yet known. */
  private int[][] seriesOf = new int[1024][];

  private int size;
  private int host;

  /** The host whose tags the reader holds, or -1. */
  private int hostRead = -1;

  /** Measurement and tags of the line being read. */
  private byte[] buffer = {};

  private int from;
  private int to;
  private Reason reason = Reason.TAG_MALFORMED;

  /** The fields of a measurement and the metrics they make. */
  private static final class Measurement {
    private final String name;
    private final Spellings knownFields = new Spellings();
    private final List<byte[]> fields = new ArrayList<>();
    private final List<String> metrics = new ArrayList<>();

    Measurement(String name) {
      this.name = name;
    }

    /** The number of a field, tried first where the lines before had it; or UNKNOWN. */
    int find(byte[] buffer, int from, int to, int guess) {
      if (guess < fields.size()) {
        byte[] likely = fields.get(guess);
        if (Arrays.equals(likely, 0, likely.length, buffer, from, to)) {
          return guess;
        }
      }
      return knownFields.find(buffer, from, to);
    }

    int add(byte[] buffer, int from, int to, String field) {
      int number = fields.size();
      fields.add(Arrays.copyOfRange(buffer, from, to));
      metrics.add(name + '.' + field);
      knownFields.add(buffer, from, to, number);
      return number;
    }
  }

  Hosts(SeriesReader reader) {
    this.reader = reader;
  }

  /** Why the last call gave false or REJECTED. */
  Reason reason() {
    return reason;
  }

  /** Goes to the host {@code [keyFrom, keyTo)}; false if its names are none. */
  boolean find(byte[] line, int keyFrom, int keyTo) {
    buffer = line;
    from = keyFrom;
    to = keyTo;
    host = knownHosts.find(line, keyFrom, keyTo);
    return host != Spellings.UNKNOWN || add();
  }

  private boolean add() {
    Measurement measurement = measurement();
    if (measurement == null || !readTags()) {
      return false;
    }
    if (size == seriesOf.length) {
      measurementOf = Arrays.copyOf(measurementOf, 2 * size);
      seriesOf = Arrays.copyOf(seriesOf, 2 * size);
    }
    host = size++;
    hostRead = host;
    measurementOf[host] = measurement;
    seriesOf[host] = new int[Math.max(1, measurement.fields.size())];
    knownHosts.add(buffer, from, to, host);
    return true;
  }

  private @Nullable Measurement measurement() {
    int end = Syntax.endOfMeasurement(buffer, from, to);
    int known = knownMeasurements.find(buffer, from, end);
    if (known != Spellings.UNKNOWN) {
      return measurements.get(known);
    }
    String name = reader.text(buffer, from, end);
    if (name == null) {
      reason = reader.reason();
      return null;
    }
    if (name.isEmpty()) {
      reason = Reason.LINE_PROTOCOL_MALFORMED;
      return null;
    }
    Measurement measurement = new Measurement(Syntax.plain(name));
    knownMeasurements.add(buffer, from, end, measurements.size());
    measurements.add(measurement);
    return measurement;
  }

  /** Has the reader read the tags of the line. */
  private boolean readTags() {
    hostRead = -1;
    String tags = reader.text(buffer, Syntax.endOfMeasurement(buffer, from, to), to);
    if (tags == null) {
      reason = reader.reason();
      return false;
    }
    reader.begin();
    Boolean taken = Syntax.tags(tags, reader::tag);
    if (taken == null) {
      reason = Reason.TAG_MALFORMED;
      return false;
    }
    reason = reader.reason();
    if (!taken || !reader.endTags()) {
      reason = reader.reason();
      return false;
    }
    return true;
  }

  /**
   * The series of a field of the host, {@link SeriesReader#LEFT_OUT} or {@link
   * SeriesReader#REJECTED}.
   *
   * @param guess which field it may be, from 0
   */
  int series(byte[] line, int nameFrom, int nameTo, int guess) {
    Measurement measurement = measurementOf[host];
    int field = measurement.find(line, nameFrom, nameTo, guess);
    if (field == Spellings.UNKNOWN) {
      String name = reader.text(line, nameFrom, nameTo);
      if (name == null) {
        reason = reader.reason();
        return SeriesReader.REJECTED;
      }
      field = measurement.add(line, nameFrom, nameTo, Syntax.plain(name));
    }
    int[] series = seriesOf[host];
    if (field < series.length && series[field] != 0) {
      return series[field] - 1;
    }
    return addSeries(measurement, field);
  }

  private int addSeries(Measurement measurement, int field) {
    if (hostRead != host && !readTags()) {
      return SeriesReader.REJECTED;
    }
    hostRead = host;
    int found = reader.series(measurement.metrics.get(field));
    if (found == SeriesReader.REJECTED) {
      reason = reader.reason();
      return found;
    }
    if (field >= seriesOf[host].length) {
      seriesOf[host] = Arrays.copyOf(seriesOf[host], measurement.fields.size());
    }
    seriesOf[host][field] = found + 1;
    return found;
  }
}
