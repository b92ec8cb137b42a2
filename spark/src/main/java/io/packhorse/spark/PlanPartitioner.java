package io.packhorse.spark;

import org.apache.spark.Partitioner;
import org.jspecify.annotations.Nullable;

/** Brings each row to the task that writes its part of the plan. Any thread. */
final class PlanPartitioner extends Partitioner {
  private static final long serialVersionUID = 1;

  private final SentPlan plan;
  private final int parts;

  PlanPartitioner(SentPlan plan) {
    this.plan = plan;
    this.parts = plan.parts();
  }

  @Override
  public int numPartitions() {
    return parts;
  }

  @Override
  public int getPartition(@Nullable Object key) {
    if (key instanceof byte[] bytes) {
      return plan.get().partOf(HourRecord.rowKey(bytes));
    }
    throw new IllegalArgumentException("a key must be an array of bytes: key=" + key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PlanPartitioner that && plan.isSame(that.plan);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(plan.id());
  }
}
