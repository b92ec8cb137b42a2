package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.Spellings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Series by measurement, tags and field. One look-up finds the host, that is measurement and tags
 * as they are spelled in a line; its fields mostly stand in the order of the measurement's first
 * line, and then comparing their names is all.
 *
 * <p>Any number of threads; what is new is added by one at a time, before others can find it.
 */
final class Hosts {
  /** Instead of a host: its names are none. */
  static final int REJECTED = -1;

  /** Instead of a host: its names are good, but none of so many that there is room for. */
  static final int PASSING = -2;

  /** Fields of a host that it has room for at first. */
  private static final int FIELDS_MIN = 16;

  /** Up to so many fields a host gets room for as soon as it has the last of them. */
  private static final int FIELDS_NEAR = 256;

  private final SeriesReader reader;
  private final Spellings knownHosts = new Spellings();
  private final Spellings knownMeasurements = new Spellings();
  private final List<Measurement> measurements = new ArrayList<>();

  /** Of each host its measurement. */
  private Measurement[] measurementOf = new Measurement[1024];

  /** Of each host the numbers of its series plus one, by field; 0 where not yet known. */
  private int[][] seriesOf = new int[1024][];

  /**
   * Numbers of series by host and field, where the field is far behind those that the host has in
   * its array: hosts with a field of their own each would have room for those of all.
   */
  private final Map<Long, Integer> farSeries = new ConcurrentHashMap<>();

  private int size;

  /** Hosts of which some series is wanted. */
  private int wanted;

  /** The host whose tags the reader holds, {@link #PASSING} or -1. */
  private int hostRead = -1;

  /** The bytes of the one that is passing. */
  private byte[] passing = {};

  /** The fields of a measurement and the metrics they make. */
  static final class Measurement {
    private final String name;
    private final Spellings knownFields = new Spellings();
    private final List<String> metrics = new ArrayList<>();

    private volatile byte[][] names = new byte[8][];

    /** Written after the name of the last field, read before any. */
    private volatile int size;

    Measurement(String name) {
      this.name = name;
    }

    /** Number of fields, in the order they were met. */
    int size() {
      return size;
    }

    /** Their names, for who has asked for their number; longer than that. */
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

  /** Where something was not found because it is none. */
  static final class Refusal {
    private Reason reason = Reason.TAG_MALFORMED;

    Reason reason() {
      return reason;
    }
  }

  /**
   * @param reader of this object alone
   */
  Hosts(SeriesReader reader) {
    this.reader = reader;
  }

  /** The host {@code [from, to)}, {@link #PASSING}, or {@link #REJECTED} if its names are none. */
  int find(byte[] line, int from, int to, Refusal why) {
    int host = knownHosts.find(line, from, to);
    return host == Spellings.UNKNOWN ? add(line, from, to, why) : host;
  }

  /** The bytes of a host that was found: a space, then as they stand in these bytes. */
  byte @Nullable [] spelling(byte[] line, int from, int to) {
    return knownHosts.spelling(line, from, from, from, to);
  }

  /** What a host measures. */
  Measurement measurement(int host) {
    return measurementOf[host];
  }

  /** The series of a field of a host, or {@link Spellings#UNKNOWN} if that is not known yet. */
  int known(int host, int field) {
    int[] series = seriesOf[host];
    return field < series.length
        ? series[field] - 1
        : farSeries.getOrDefault(place(host, field), Spellings.UNKNOWN);
  }

  private static long place(int host, int field) {
    return (long) host << Integer.SIZE | field;
  }

  private synchronized int add(byte[] line, int from, int to, Refusal why) {
    int known = knownHosts.find(line, from, to);
    if (known != Spellings.UNKNOWN) {
      return known;
    }
    Measurement measurement = measurement(line, from, to, why);
    if (measurement == null || !readTags(line, from, to, why)) {
      return REJECTED;
    }
    if (reader.wantsTags() && !Spellings.hasRoom(wanted, reader.seriesSoFar())) {
      passing = Arrays.copyOfRange(line, from, to);
      hostRead = PASSING;
      return PASSING;
    }
    if (size == seriesOf.length) {
      measurementOf = Arrays.copyOf(measurementOf, 2 * size);
      seriesOf = Arrays.copyOf(seriesOf, 2 * size);
    }
    int host = size++;
    wanted += reader.wantsTags() ? 1 : 0;
    hostRead = host;
    measurementOf[host] = measurement;
    seriesOf[host] = new int[Math.max(1, Math.min(FIELDS_MIN, measurement.size))];
    knownHosts.add(line, from, to, host);
    return host;
  }

  private @Nullable Measurement measurement(byte[] line, int from, int to, Refusal why) {
    int end = Syntax.endOfMeasurement(line, from, to);
    int known = knownMeasurements.find(line, from, end);
    if (known != Spellings.UNKNOWN) {
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
    Measurement measurement = new Measurement(Syntax.plain(name));
    knownMeasurements.add(line, from, end, measurements.size());
    measurements.add(measurement);
    return measurement;
  }

  /** Has the reader read the tags of the line. */
  private boolean readTags(byte[] line, int from, int to, Refusal why) {
    hostRead = -1;
    String tags = reader.text(line, Syntax.endOfMeasurement(line, from, to), to);
    if (tags == null) {
      why.reason = reader.reason();
      return false;
    }
    reader.begin();
    Boolean taken = Syntax.tags(tags, reader::tag);
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
   * @param keyFrom where the host stands in the line
   * @param guess which field it may be, from 0
   */
  int series(
      int host,
      byte[] line,
      int keyFrom,
      int keyTo,
      int nameFrom,
      int nameTo,
      int guess,
      Refusal why) {
    int field = measurementOf[host].find(line, nameFrom, nameTo, guess);
    if (field != Spellings.UNKNOWN) {
      int known = known(host, field);
      if (known != Spellings.UNKNOWN) {
        return known;
      }
    }
    return addSeries(host, line, keyFrom, keyTo, nameFrom, nameTo, why);
  }

  /** As {@link #series}, of a host that is {@link #PASSING}. */
  synchronized int seriesInPassing(
      byte[] line, int keyFrom, int keyTo, int nameFrom, int nameTo, Refusal why) {
    Measurement measurement = measurement(line, keyFrom, keyTo, why);
    String name = measurement == null ? null : reader.text(line, nameFrom, nameTo);
    if (measurement == null || name == null) {
      why.reason = reader.reason();
      return SeriesReader.REJECTED;
    }
    if (hostRead != PASSING || !Arrays.equals(passing, 0, passing.length, line, keyFrom, keyTo)) {
      if (!readTags(line, keyFrom, keyTo, why)) {
        return SeriesReader.REJECTED;
      }
      passing = Arrays.copyOfRange(line, keyFrom, keyTo);
      hostRead = PASSING;
    }
    int found = reader.series(measurement.name + '.' + Syntax.plain(name));
    why.reason = reader.reason();
    return found;
  }

  private synchronized int addSeries(
      int host, byte[] line, int keyFrom, int keyTo, int nameFrom, int nameTo, Refusal why) {
    Measurement measurement = measurementOf[host];
    int field = measurement.knownFields.find(line, nameFrom, nameTo);
    if (field == Spellings.UNKNOWN) {
      String name = reader.text(line, nameFrom, nameTo);
      if (name == null) {
        why.reason = reader.reason();
        return SeriesReader.REJECTED;
      }
      field = measurement.add(line, nameFrom, nameTo, Syntax.plain(name));
    }
    int known = known(host, field);
    if (known != Spellings.UNKNOWN) {
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
      farSeries.put(place(host, field), found);
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
