package io.packhorse.loader.source.openmetrics;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The body of Prometheus' remote write, decompressed: the protobuf messages {@code
 * prometheus.WriteRequest} of version 1.0 and {@code io.prometheus.write.v2.Request} of 2.0, as
 * their specifications define them. Labels become tags, {@code __name__} the metric, samples points
 * with a floating-point value. NaN, which stands for no value or the end of a series, is left out.
 * Metadata and exemplars are skipped. One thread.
 */
public final class WriteRequest {
  private static final int SERIES_1 = 1;
  private static final int SYMBOLS_2 = 4;
  private static final int SERIES_2 = 5;

  /** Numbers of fields of both versions' series. */
  private static final int LABELS = 1;

  private static final int SAMPLES = 2;
  private static final int HISTOGRAMS_1 = 4;
  private static final int HISTOGRAMS_2 = 3;

  /** Of a label, and of a sample. */
  private static final int FIRST = 1;

  private static final int SECOND = 2;

  private final SeriesReader reader;
  private final ByteKeyIndex known;
  private final ProtobufFields request = new ProtobufFields();
  private final ProtobufFields series = new ProtobufFields();
  private final ProtobufFields part = new ProtobufFields();
  private final ProtobufFields label = new ProtobufFields();

  /** Start and end of each symbol. */
  private int[] symbols = new int[64];

  private int symbolCount;

  /** Labels of a series, as fields of version 1.0. */
  private byte[] labels = new byte[1024];

  private int labelBytes;
  private Reason reason = Reason.NAME_EMPTY;

  /** The version of a request. */
  public enum Version {
    ONE,
    TWO
  }

  /**
   * @param known spellings of series that were read, for all readers with the same names
   */
  public WriteRequest(SeriesReader reader, ByteKeyIndex known) {
    this.reader = reader;
    this.known = known;
  }

  /**
   * Reads a body into a collector, which begins with it.
   *
   * @param buffer must not change before the rejects are used
   * @param length of the body
   * @throws MalformedRequestException if it is no such message; the collector may have points then
   */
  public void read(Version version, byte[] buffer, int length, Points points)
      throws MalformedRequestException {
    points.begin(buffer);
    if (version == Version.TWO) {
      findSymbols(buffer, length);
    }
    int seriesField = version == Version.ONE ? SERIES_1 : SERIES_2;
    long number = 0;
    request.open(buffer, 0, length);
    while (request.next()) {
      if (request.field() == seriesField) {
        points.at(number++);
        readSeries(version, buffer, points);
      }
    }
  }

  private void findSymbols(byte[] buffer, int length) throws MalformedRequestException {
    symbolCount = 0;
    request.open(buffer, 0, length);
    while (request.next()) {
      if (request.field() == SYMBOLS_2) {
        if (2 * symbolCount == symbols.length) {
          symbols = Arrays.copyOf(symbols, 2 * symbols.length);
        }
        symbols[2 * symbolCount] = request.from();
        symbols[2 * symbolCount + 1] = request.to();
        symbolCount++;
      }
    }
  }

  /** Fields may come in any order, so the labels are gathered first. */
  private void readSeries(Version version, byte[] buffer, Points points)
      throws MalformedRequestException {
    labelBytes = 0;
    series.open(request);
    while (series.next()) {
      if (series.field() == LABELS) {
        if (version == Version.ONE) {
          addLabels(buffer, series.begin(), series.to());
        } else {
          addReferences(buffer);
        }
      }
    }
    int histograms = version == Version.ONE ? HISTOGRAMS_1 : HISTOGRAMS_2;
    int to = ByteKeyIndex.UNKNOWN;
    series.open(request);
    while (series.next()) {
      boolean histogram = series.field() == histograms;
      if (!histogram && series.field() != SAMPLES) {
        continue;
      }
      if (to == ByteKeyIndex.UNKNOWN) {
        to = findSeries();
      }
      if (histogram) {
        reject(Reason.HISTOGRAM, points, "");
      } else {
        readSample(to, points);
      }
    }
  }

  private void addLabels(byte[] from, int begin, int end) {
    room(end - begin);
    System.arraycopy(from, begin, labels, labelBytes, end - begin);
    labelBytes += end - begin;
  }

  private void room(int more) {
    int needed = labelBytes + more + ByteKeyIndex.PADDING;
    if (needed > labels.length) {
      labels = Arrays.copyOf(labels, Math.max(needed, 2 * labels.length));
    }
  }

  /** Pairs of numbers of symbols, a name and its value. */
  private void addReferences(byte[] buffer) throws MalformedRequestException {
    if (!series.isBytes()) {
      throw series.malformed("references of labels that are not packed");
    }
    part.open(series);
    while (!part.atEnd()) {
      int name = symbol();
      if (part.atEnd()) {
        throw series.malformed("a label without a value");
      }
      addLabel(buffer, name, symbol());
    }
  }

  private int symbol() throws MalformedRequestException {
    long number = part.packed();
    if (number < 0 || number >= symbolCount) {
      throw part.malformed("a reference to a symbol that is not there");
    }
    return (int) number;
  }

  private void addLabel(byte[] buffer, int name, int value) {
    int nameBytes = symbols[2 * name + 1] - symbols[2 * name];
    int valueBytes = symbols[2 * value + 1] - symbols[2 * value];
    room(nameBytes + valueBytes + 3 * (1 + Integer.BYTES + 1));
    addKey(LABELS, length(nameBytes) + length(valueBytes));
    addKey(FIRST, nameBytes);
    addLabels(buffer, symbols[2 * name], symbols[2 * name + 1]);
    addKey(SECOND, valueBytes);
    addLabels(buffer, symbols[2 * value], symbols[2 * value + 1]);
  }

  /** Of a field of bytes with its key. */
  private static int length(int bytes) {
    int length = 2 + bytes;
    for (int rest = bytes >>> 7; rest != 0; rest >>>= 7) {
      length++;
    }
    return length;
  }

  private void addKey(int field, int bytes) {
    labels[labelBytes++] = (byte) (field << 3 | 2);
    int rest = bytes;
    while (rest > 0x7f) {
      labels[labelBytes++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    labels[labelBytes++] = (byte) rest;
  }

  /** The number of the series, {@link SeriesReader#LEFT_OUT} or {@link SeriesReader#REJECTED}. */
  private int findSeries() throws MalformedRequestException {
    room(0);
    int found = known.find(labels, 0, labelBytes);
    if (found != ByteKeyIndex.UNKNOWN) {
      return found;
    }
    int made = makeSeries();
    if (made != SeriesReader.REJECTED && (made < 0 || known.hasRoom(reader.seriesSoFar()))) {
      known.add(labels, 0, labelBytes, made);
    }
    return made;
  }

  private int makeSeries() throws MalformedRequestException {
    String metric = "";
    reader.begin();
    part.open(labels, 0, labelBytes);
    while (part.next()) {
      int nameFrom = 0;
      int nameTo = 0;
      int valueFrom = 0;
      int valueTo = 0;
      label.open(part);
      while (label.next()) {
        if (label.field() == FIRST) {
          nameFrom = label.from();
          nameTo = label.to();
        } else if (label.field() == SECOND) {
          valueFrom = label.from();
          valueTo = label.to();
        }
      }
      String name = reader.text(labels, nameFrom, nameTo);
      String value = name == null ? null : reader.text(labels, valueFrom, valueTo);
      if (name == null || value == null) {
        return rejected();
      }
      if (name.equals(Labels.NAME)) {
        metric = value;
      } else if (!value.isEmpty() && !reader.tag(name, value)) {
        // An empty label is the same as none.
        return rejected();
      }
    }
    if (metric.isEmpty()) {
      reason = Reason.NAME_EMPTY;
      return SeriesReader.REJECTED;
    }
    int made = reader.endTags() ? reader.series(metric) : SeriesReader.REJECTED;
    return made == SeriesReader.REJECTED ? rejected() : made;
  }

  private int rejected() {
    reason = reader.reason();
    return SeriesReader.REJECTED;
  }

  private void readSample(int to, Points points) throws MalformedRequestException {
    long bits = 0;
    long timestampMs = 0;
    part.open(series);
    while (part.next()) {
      if (part.field() == FIRST) {
        bits = part.doubleBits();
      } else if (part.field() == SECOND) {
        timestampMs = part.integer();
      }
    }
    double value = Double.longBitsToDouble(bits);
    long inRange = TimeReader.inRange(timestampMs);
    if (Double.isNaN(value)) {
      points.leaveOut();
    } else if (to == SeriesReader.REJECTED) {
      reject(reason, points, value + " " + timestampMs);
    } else if (Double.isInfinite(value)) {
      reject(Reason.VALUE_NOT_FINITE, points, value + " " + timestampMs);
    } else if (inRange < 0) {
      reject(TimeReader.reason(inRange), points, value + " " + timestampMs);
    } else {
      points.add(to, timestampMs, bits, true);
    }
  }

  /** Shows the labels as Prometheus' text format does. */
  private void reject(Reason why, Points points, String sample) throws MalformedRequestException {
    StringBuilder text = new StringBuilder("{");
    part.open(labels, 0, labelBytes);
    while (part.next()) {
      text.append(text.length() == 1 ? "" : ",");
      label.open(part);
      while (label.next()) {
        String word =
            new String(labels, label.from(), label.to() - label.from(), StandardCharsets.UTF_8);
        text.append(label.field() == FIRST ? word : "=\"" + word + "\"");
      }
    }
    text.append("} ").append(sample);
    points.reject(why, text.toString());
  }
}
