package io.packhorse.loader.receive;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.json.PutBody;
import io.packhorse.loader.source.openmetrics.WriteRequest;
import io.packhorse.loader.source.opentsdb.ImportLines;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.RefusedNames;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.text.RecordFormat;
import java.util.EnumMap;
import java.util.Map;

/** Makes parsers of bodies, whose series have numbers of one set of names. Thread-safe. */
final class ReceiverFormats {
  private final SourceSpec spec;
  private final long aheadMs;
  private final SeriesReader series;
  private final ByteKeyIndex labels = new ByteKeyIndex();
  private final Map<BodyFormat, RecordFormat> lines = new EnumMap<>(BodyFormat.class);

  /**
   * @param names gets every series
   * @param spec rules for names, times and fields
   * @param aheadMs how much later than its arrival a point may be, milliseconds
   */
  ReceiverFormats(SeriesNames names, SourceSpec spec, long aheadMs) {
    this.spec = spec;
    this.aheadMs = aheadMs;
    this.series = new SeriesReader(names, spec.rules(), new RefusedNames());
  }

  long aheadMs() {
    return aheadMs;
  }

  /** A parser of lines, for one thread. Those of one format share what they know of series. */
  synchronized RecordFormat lines(BodyFormat format) {
    return lines.computeIfAbsent(format, this::newLines).forAnotherThread().orElseThrow();
  }

  private RecordFormat newLines(BodyFormat format) {
    EpochTime time = new EpochTime(format.unit());
    return format == BodyFormat.PUT_LINES
        ? new ImportLines(series.forAnotherThread(), time)
        : new LineProtocol(series.forAnotherThread(), time, spec.fields());
  }

  /** For one thread. */
  PutBody putBody() {
    return new PutBody(series.forAnotherThread(), new EpochTime(TimestampUnit.OPENTSDB));
  }

  /** For one thread. */
  WriteRequest writeRequest() {
    return new WriteRequest(series.forAnotherThread(), labels);
  }

  /** A collector for one body after the other; what is rejected is left to its user. */
  Points points() {
    return new Points(spec.rules(), Rejects.counted()).forChunk();
  }
}
