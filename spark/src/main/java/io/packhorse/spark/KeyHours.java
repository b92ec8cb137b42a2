package io.packhorse.spark;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import org.apache.spark.api.java.function.PairFunction;
import scala.Tuple2;

/** Gives each packed hour the key of its row. */
final class KeyHours implements PairFunction<byte[], byte[], byte[]> {
  private static final long serialVersionUID = 1;

  private final SentPlan plan;
  private final SentSeries series;

  KeyHours(SentPlan plan, SentSeries series) {
    this.plan = plan;
    this.series = series;
  }

  @Override
  public Tuple2<byte[], byte[]> call(byte[] hour) throws MalformedCellException {
    RowKeyLayout layout = plan.get().layout();
    int number = series.number(HourRecord.input(hour), HourRecord.series(hour));
    Tsuid tsuid = Tsuid.parse(layout.widths(), series.tsuid(number));
    byte[] rowKey = layout.rowKey(tsuid, HourRecord.hourOf(hour) * (long) BaseTime.HOUR_SECONDS);
    return new Tuple2<>(HourRecord.key(rowKey, hour), HourRecord.value(number, hour));
  }
}
