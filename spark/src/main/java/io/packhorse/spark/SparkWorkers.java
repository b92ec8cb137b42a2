package io.packhorse.spark;

import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.SpreadInput;
import io.packhorse.loader.load.SpreadPlan;
import io.packhorse.loader.load.SpreadReading;
import io.packhorse.loader.load.SpreadSeries;
import io.packhorse.loader.load.SpreadWorkers;
import io.packhorse.loader.load.SpreadWriting;
import io.packhorse.loader.source.input.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes with the executors of a Spark application. What was read is kept on their disks
 * until it is written; where an executor dies, Spark reads its inputs again.
 *
 * <p>One load, one thread.
 */
public final class SparkWorkers implements SpreadWorkers, AutoCloseable {
  /** How long an attempt that does not count may take to end. */
  private static final int LAST_ATTEMPTS_SECONDS = 60;

  static final String GROUP = "spark.jobGroup.id";
  private static final String DESCRIPTION = "spark.job.description";

  private final JavaSparkContext spark;
  private final String group = "packhorse-" + UUID.randomUUID();
  private final Function<SentPlan, WritePart> parts;
  private final RunningTasks running = new RunningTasks(group);
  private @Nullable JavaRDD<byte[]> hours;
  private @Nullable SentPlan sent;
  private @Nullable SentSeries sentSeries;
  private int jobs;

  /**
   * @param spark stays the caller's
   */
  public SparkWorkers(JavaSparkContext spark) {
    this(spark, WritePart::new);
  }

  /**
   * @param parts makes the task that writes a part
   */
  SparkWorkers(JavaSparkContext spark, Function<SentPlan, WritePart> parts) {
    this.spark = spark;
    this.parts = parts;
    spark.sc().addSparkListener(running);
  }

  @Override
  public int threads() {
    return Math.max(1, spark.defaultParallelism());
  }

  @Override
  public List<SpreadReading> read(List<SpreadInput> inputs, LoadSettings settings)
      throws IOException, InterruptedException {
    JavaRDD<byte[]> read =
        spark
            .parallelize(inputs, inputs.size())
            .mapPartitions(new ReadInputs(settings.text()))
            .persist(StorageLevel.DISK_ONLY());
    forgetHours();
    hours = read;
    List<byte[]> ends =
        run(
            "packhorse: read and pack " + inputs.size() + " inputs",
            () -> read.filter(record -> HourRecord.kind(record) == HourRecord.END).collect());
    List<SpreadReading> readings = new ArrayList<>();
    for (byte[] end : ends) {
      readings.add(SentObject.read(HourRecord.content(end), SpreadReading.class));
    }
    if (readings.size() != inputs.size()) {
      throw new IOException(
          "of " + inputs.size() + " inputs only " + readings.size() + " were read to their end");
    }
    return readings;
  }

  private JavaRDD<byte[]> hours() {
    JavaRDD<byte[]> read = hours;
    if (read == null) {
      throw new IllegalStateException("reading comes first");
    }
    return read;
  }

  @Override
  public void copyRejects(int input, OutputStream to) throws IOException, InterruptedException {
    JavaRDD<byte[]> rejects =
        hours().filter(record -> HourRecord.kind(record) == HourRecord.REJECTS);
    int[] wanted = {input};
    List<byte[]> pieces =
        run("packhorse: collect rejected lines", () -> rejects.collectPartitions(wanted)[0]);
    for (byte[] piece : pieces) {
      to.write(HourRecord.content(piece));
    }
  }

  @Override
  public List<SpreadWriting> write(SpreadPlan plan, SpreadSeries series)
      throws IOException, InterruptedException {
    SentPlan toTasks = SentPlan.of(spark, plan);
    sent = toTasks;
    SentSeries seriesToTasks = SentSeries.of(spark, series);
    sentSeries = seriesToTasks;
    List<byte[]> written =
        run(
            "packhorse: write " + plan.starts().length + " parts",
            () ->
                hours()
                    .filter(record -> HourRecord.kind(record) == HourRecord.HOUR)
                    .mapToPair(new KeyHours(toTasks, seriesToTasks))
                    .repartitionAndSortWithinPartitions(
                        new PlanPartitioner(toTasks), HourRecord.KeyOrder.INSTANCE)
                    .mapPartitions(parts.apply(toTasks))
                    .collect());
    running.await(jobs, LAST_ATTEMPTS_SECONDS);
    List<SpreadWriting> writings = new ArrayList<>();
    for (byte[] each : written) {
      writings.add(SentObject.read(each, SpreadWriting.class));
    }
    return writings;
  }

  /** Runs a job of Spark's; its failure becomes that of the innermost cause in a task. */
  private <T> T run(String what, Callable<T> job) throws IOException, InterruptedException {
    String groupBefore = spark.getLocalProperty(GROUP);
    String whatBefore = spark.getLocalProperty(DESCRIPTION);
    spark.setJobGroup(group, what);
    jobs++;
    try {
      return job.call();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof InputException input) {
          throw input;
        }
      }
      IOException failed = new IOException(Causes.sentence(e));
      failed.addSuppressed(e);
      throw failed;
    } finally {
      spark.setLocalProperty(GROUP, groupBefore);
      spark.setLocalProperty(DESCRIPTION, whatBefore);
    }
  }

  private void forgetHours() {
    if (hours != null) {
      hours.unpersist(false);
    }
  }

  /** Frees what the executors hold. */
  @Override
  public void close() {
    forgetHours();
    if (sent != null) {
      sent.destroy();
    }
    if (sentSeries != null) {
      sentSeries.destroy();
    }
    spark.sc().removeSparkListener(running);
  }
}
