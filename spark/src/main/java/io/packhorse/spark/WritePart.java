package io.packhorse.spark;

import io.packhorse.loader.load.SpreadWriting;
import io.packhorse.loader.sink.hfile.AttemptHFile;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import scala.Tuple2;

/** The task that writes a part of the plan, into a folder of its own attempt; tests extend it. */
class WritePart implements FlatMapFunction<Iterator<Tuple2<byte[], byte[]>>, byte[]> {
  private static final long serialVersionUID = 1;

  private final SentPlan plan;

  WritePart(SentPlan plan) {
    this.plan = plan;
  }

  @Override
  public Iterator<byte[]> call(Iterator<Tuple2<byte[], byte[]>> hours)
      throws IOException, InterruptedException {
    TaskContext task = TaskContext.get();
    String attempt = "part-" + task.partitionId() + "-attempt-" + task.taskAttemptId();
    try (AttemptHFile file = new AttemptHFile(plan.get().target(), attempt)) {
      SpreadWriting written = new PartWriter(plan.get(), file).write(hours);
      return Collections.singletonList(SentObject.write(written)).iterator();
    }
  }
}
