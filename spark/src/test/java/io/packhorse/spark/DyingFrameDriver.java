package io.packhorse.spark;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** An application that loads a DataFrame and dies once a task has written its part. */
final class DyingFrameDriver {
  private DyingFrameDriver() {}

  /**
   * Loads, and dies.
   *
   * @param args job, folder, then the options
   */
  public static void main(String[] args) {
    try (SparkSession spark = SparkSession.builder().config(conf()).getOrCreate()) {
      spark.sparkContext().addSparkListener(new Deadly());
      DataFrameLoad.load(
          Frames.points(spark), args[0], args[1], List.of(args).subList(2, args.length));
    }
  }

  /** Two local tasks. */
  static SparkConf conf() {
    return new SparkConf()
        .setMaster("local[2]")
        .setAppName("packhorse-frames")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  /** Ends the process with the first task of a job that writes parts. */
  private static final class Deadly extends SparkListener {
    private boolean writes;

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      String what = start.properties().getProperty("spark.job.description", "");
      writes = what.startsWith("packhorse: write");
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (writes) {
        Runtime.getRuntime().halt(DyingDriver.KILLED);
      }
    }
  }
}
