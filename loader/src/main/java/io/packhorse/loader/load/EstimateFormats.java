package io.packhorse.loader.load;

import io.packhorse.loader.source.format.ForwardingFormats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.opentsdb.TwoColumns;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The formats of a load, and beside them one series as lines of timestamp and value. */
final class EstimateFormats extends ForwardingFormats {
  private final SourceSpec spec;
  private final Optional<Duration> interval;

  /**
   * @param interval distance of points whose timestamps are ignored or missing, at least 1 ms
   */
  EstimateFormats(InputFormats formats, SourceSpec spec, Optional<Duration> interval) {
    super(formats);
    this.spec = spec;
    this.interval = interval;
  }

  @Override
  public RecordFormat choose(InputHead head) throws InputException {
    if (spec.format().isEmpty() && TwoColumns.fits(head, interval.isPresent())) {
      return new TwoColumns(
          Estimate.ONLY_SERIES,
          new EpochTime(spec.unit().orElse(TimestampUnit.OPENTSDB)),
          interval.map(Duration::toMillis).orElse(0L));
    }
    refuseInterval(head.name());
    return super.choose(head);
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    refuseInterval(file.name());
    return super.choose(file);
  }

  private void refuseInterval(String input) throws InputException {
    if (interval.isPresent()) {
      throw new InputException(
          input + " has more than two columns: --interval is for values and timestamps");
    }
  }
}
