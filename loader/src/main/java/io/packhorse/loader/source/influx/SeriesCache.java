package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Series by measurement, tags and field. One look-up finds the <i>host</i>: measurement and tags as
 * they are written in a line. Fields usually come in the order of the measurement's first line, so
 * that comparing their names is enough.
 *
 * <p>Any number of threads look up; one at a time adds, and publishes an entry when it is complete.
 */
final class SeriesCache {
  /** Instead of a host: its measurement or tags are rejected. */
  static final int REJECTED = -1;

  /** Instead of a host: it is valid, but the cache is full. */
  static final int UNCACHED = -2;

  /** Fields that a new host has room for. */
  private static final int FIELDS_MIN = 16;

  /** Below this number of a field, the array of a host grows to hold it. */
  private static final int FIELDS_NEAR = 256;

  private final SeriesReader reader;
  private final ByteKeyIndex knownHosts = new ByteKeyIndex();
  private final ByteKeyIndex knownMeasurements = new ByteKeyIndex();
  private final List<Measurement> measurements = new ArrayList<>();

  /** The measurement of each host. */
  private Measurement[] measurementOf = new Measurement[1024];

  /** By host and field: the number of the series plus one; 0 if not yet known. */
  private int[][] seriesOf = new int[1024][];

  /**
   * Series by host and field, if the number of the field is far above those in the host's array.
   * Otherwise, if each host had a field of its own, every array would hold the fields of all.
   */
  private final Map<Long, Integer> sparseSeries = new ConcurrentHashMap<>();

  private int size;

  /** Number of hosts whose tags pass the filters. */
  private int hostsPassing;

  /** The host whose tags the reader holds, {@link #UNCACHED} or -1. */
  private int hostRead = -1;

  /** The bytes of the uncached host whose tags the reader holds. */
  private byte[] passing = {};

  /** The fields of a measurement, and the metric of each. */
  static final class Measurement {
    private final String name;
    private final ByteKeyIndex knownFields = new ByteKeyIndex();
    private final List<String> metrics = new ArrayList<>();

    private volatile byte[][] names = new byte[8][];

    /** Written after the name of the last field, read before any. */
    private volatile int size;

    Measurement(String name) {
      this.name = name;
    }

    /** Number of fields so far; they are in order of first appearance. */
    int size() {
      return size;
    }

    /** Their names; call {@link #size} first. The array is longer. */
    byte[][] names() {
      return names;
    }

    /** The number of a field, tried first where the lines before had it; or UNKNOWN. */
    private int find(byte[] buffer, int from, int to, int guess) {
      if (guess < size) {
        byte[] likely = names[guess];
        if (Arrays.equals(likely, 0, likely.length, buffer, from, to)) {
          return guess;
        }
      }
      return knownFields.find(buffer, from, to);
    }

    private int add(byte[] buffer, int from, int to, String field) {
      int number = size;
      metrics.add(name + '.' + field);
      if (number == names.length) {
        names = Arrays.copyOf(names, 2 * number);
      }
      names[number] = Arrays.copyOfRange(buffer, from, to);
      size = number + 1;
      knownFields.add(buffer, from, to, number);
      return number;
    }
  }

  /** Says why a host or a series was rejected. */
  static final class Rejection {
    private Reason reason = Reason.TAG_MALFORMED;

    Reason reason() {
      return reason;
    }
  }

  /**
   * @param reader used by this object alone
   */
  SeriesCache(SeriesReader reader) {
    this.reader = reader;
  }

  /** The host {@code [from, to)}, {@link #UNCACHED} or {@link #REJECTED}. */
  int find(byte[] line, int from, int to, Rejection why) {
    int host = knownHosts.find(line, from, to);
    return host == ByteKeyIndex.UNKNOWN ? add(line, from, to, why) : host;
  }

  /** The key of a cached host: a space, then these bytes. */
  byte @Nullable [] spelling(byte[] line, int from, int to) {
    return knownHosts.spelling(line, from, from, from, to);
  }

  /** The measurement of a host. */
  Measurement measurement(int host) {
    return measurementOf[host];
  }

  /** The series of a field of a host, or {@link ByteKeyIndex#UNKNOWN} if that is not known yet. */
  int known(int host, int field) {
    int[] series = seriesOf[host];
    return field < series.length
        ? series[field] - 1
        : sparseSeries.getOrDefault(place(host, field), ByteKeyIndex.UNKNOWN);
  }

  private static long place(int host, int field) {
    return (long) host << Integer.SIZE | field;
  }

  private synchronized int add(byte[] line, int from, int to, Rejection why) {
    int known = knownHosts.find(line, from, to);
    if (known != ByteKeyIndex.UNKNOWN) {
      return known;
    }
    Measurement measurement = measurement(line, from, to, why);
    if (measurement == null || !readTags(line, from, to, why)) {
      return REJECTED;
    }
    if (reader.tagsPassFilter() && !ByteKeyIndex.hasRoom(hostsPassing, reader.seriesSoFar())) {
      passing = Arrays.copyOfRange(line, from, to);
      hostRead = UNCACHED;
      return UNCACHED;
    }
    if (size == seriesOf.length) {
      measurementOf = Arrays.copyOf(measurementOf, 2 * size);
      seriesOf = Arrays.copyOf(seriesOf, 2 * size);
    }
    int host = size++;
    hostsPassing += reader.tagsPassFilter() ? 1 : 0;
    hostRead = host;
    measurementOf[host] = measurement;
    seriesOf[host] = new int[Math.max(1, Math.min(FIELDS_MIN, measurement.size))];
    knownHosts.add(line, from, to, host);
    return host;
  }

  private @Nullable Measurement measurement(byte[] line, int from, int to, Rejection why) {
    int end = LineSyntax.endOfMeasurement(line, from, to);
    int known = knownMeasurements.find(line, from, end);
    if (known != ByteKeyIndex.UNKNOWN) {
      return measurements.get(known);
    }
    String name = reader.text(line, from, end);
    if (name == null) {
      why.reason = reader.reason();
      return null;
    }
    if (name.isEmpty()) {
      why.reason = Reason.LINE_PROTOCOL_MALFORMED;
      return null;
    }
    Measurement measurement = new Measurement(LineSyntax.plain(name));
    knownMeasurements.add(line, from, end, measurements.size());
    measurements.add(measurement);
    return measurement;
  }

  /** Passes the tags of the line to the reader. */
  private boolean readTags(byte[] line, int from, int to, Rejection why) {
    hostRead = -1;
    String tags = reader.text(line, LineSyntax.endOfMeasurement(line, from, to), to);
    if (tags == null) {
      why.reason = reader.reason();
      return false;
    }
    reader.begin();
    Boolean taken = LineSyntax.tags(tags, reader::tag);
    if (taken == null) {
      why.reason = Reason.TAG_MALFORMED;
      return false;
    }
    why.reason = reader.reason();
    if (!taken || !reader.endTags()) {
      why.reason = reader.reason();
      return false;
    }
    return true;
  }

  /**
   * The series of a field of a host, {@link SeriesReader#LEFT_OUT} or {@link
   * SeriesReader#REJECTED}.
   *
   * @param keyFrom start of the host in the line
   * @param guess the number of the field if the line has the usual order, from 0
   */
  int series(
      int host,
      byte[] line,
      int keyFrom,
      int keyTo,
      int nameFrom,
      int nameTo,
      int guess,
      Rejection why) {
    int field = measurementOf[host].find(line, nameFrom, nameTo, guess);
    if (field != ByteKeyIndex.UNKNOWN) {
      int known = known(host, field);
      if (known != ByteKeyIndex.UNKNOWN) {
        return known;
      }
    }
    return addSeries(host, line, keyFrom, keyTo, nameFrom, nameTo, why);
  }

  /** As {@link #series}, for a host that is {@link #UNCACHED}. */
  synchronized int seriesOfUncached(
      byte[] line, int keyFrom, int keyTo, int nameFrom, int nameTo, Rejection why) {
    Measurement measurement = measurement(line, keyFrom, keyTo, why);
    String name = measurement == null ? null : reader.text(line, nameFrom, nameTo);
    if (measurement == null || name == null) {
      why.reason = reader.reason();
      return SeriesReader.REJECTED;
    }
    if (hostRead != UNCACHED || !Arrays.equals(passing, 0, passing.length, line, keyFrom, keyTo)) {
      if (!readTags(line, keyFrom, keyTo, why)) {
        return SeriesReader.REJECTED;
      }
      passing = Arrays.copyOfRange(line, keyFrom, keyTo);
      hostRead = UNCACHED;
    }
    int found = reader.series(measurement.name + '.' + LineSyntax.plain(name));
    why.reason = reader.reason();
    return found;
  }

  private synchronized int addSeries(
      int host, byte[] line, int keyFrom, int keyTo, int nameFrom, int nameTo, Rejection why) {
    Measurement measurement = measurementOf[host];
    int field = measurement.knownFields.find(line, nameFrom, nameTo);
    if (field == ByteKeyIndex.UNKNOWN) {
      String name = reader.text(line, nameFrom, nameTo);
      if (name == null) {
        why.reason = reader.reason();
        return SeriesReader.REJECTED;
      }
      field = measurement.add(line, nameFrom, nameTo, LineSyntax.plain(name));
    }
    int known = known(host, field);
    if (known != ByteKeyIndex.UNKNOWN) {
      return known;
    }
    if (hostRead != host && !readTags(line, keyFrom, keyTo, why)) {
      return SeriesReader.REJECTED;
    }
    hostRead = host;
    int found = reader.series(measurement.metrics.get(field));
    if (found == SeriesReader.REJECTED) {
      why.reason = reader.reason();
      return found;
    }
    int room = seriesOf[host].length;
    if (field >= Math.max(FIELDS_NEAR, 4 * room)) {
      sparseSeries.put(place(host, field), found);
      return found;
    }
    if (field >= room) {
      int wanted = Math.max(field + 1, Math.min(2 * room, measurement.size));
      seriesOf[host] = Arrays.copyOf(seriesOf[host], wanted);
    }
    seriesOf[host][field] = found + 1;
    return found;
  }
}
