package io.packhorse.spark;

import io.packhorse.loader.load.SpreadPlan;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import org.apache.spark.api.java.function.PairFunction;
import scala.Tuple2;

/** Gives each packed hour the key of its row. */
final class KeyHours implements PairFunction<byte[], byte[], byte[]> {
  private static final long serialVersionUID = 1;

  private final SentPlan plan;

  KeyHours(SentPlan plan) {
    this.plan = plan;
  }

  @Override
  public Tuple2<byte[], byte[]> call(byte[] hour) {
    SpreadPlan known = plan.get();
    RowKeyLayout layout = known.layout();
    int series = known.series()[HourRecord.input(hour)][HourRecord.series(hour)];
    byte[] rowKey =
        layout.rowKey(known.tsuid(series), HourRecord.hourOf(hour) * (long) BaseTime.HOUR_SECONDS);
    return new Tuple2<>(HourRecord.key(rowKey, hour), HourRecord.value(series, hour));
  }
}
