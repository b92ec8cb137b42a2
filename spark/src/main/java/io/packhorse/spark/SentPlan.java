package io.packhorse.spark;

import io.packhorse.loader.load.SpreadPlan;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * A plan on its way to the tasks. Each task has an instance of its own, and reads it once; one
 * thread.
 */
final class SentPlan implements Serializable {
  private static final long serialVersionUID = 1;

  private final Broadcast<byte[]> bytes;
  private final int parts;
  private transient @Nullable SpreadPlan read;

  private SentPlan(Broadcast<byte[]> bytes, int parts) {
    this.bytes = bytes;
    this.parts = parts;
  }

  /** Sends a plan. */
  static SentPlan of(JavaSparkContext spark, SpreadPlan plan) throws IOException {
    return new SentPlan(spark.broadcast(SentObject.write(plan)), plan.starts().length);
  }

  /** Number of its parts. */
  int parts() {
    return parts;
  }

  /** The plan. */
  SpreadPlan get() {
    SpreadPlan plan = read;
    if (plan == null) {
      try {
        plan = SentObject.read(bytes.value(), SpreadPlan.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      read = plan;
    }
    return plan;
  }

  /** Frees what the executors hold of it. */
  void destroy() {
    bytes.destroy();
  }

  /** Whether both are the same plan. */
  boolean isSame(SentPlan other) {
    return bytes.id() == other.bytes.id();
  }

  long id() {
    return bytes.id();
  }
}
