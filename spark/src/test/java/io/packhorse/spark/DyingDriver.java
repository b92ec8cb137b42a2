package io.packhorse.spark;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.load.SpreadLoad;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A Spark application of one process that dies once a task has written its part. */
final class DyingDriver {
  /** What a process that was killed exits with. */
  static final int KILLED = 128 + 9;

  private DyingDriver() {}

  /**
   * Loads, and dies.
   *
   * @param args as those of the application
   */
  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("packhorse-dying")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext spark = new JavaSparkContext(conf);
        SparkWorkers workers = new SparkWorkers(spark, Deadly::new)) {
      System.exit(Packhorse.runLoad(new SpreadLoad(workers), args));
    }
  }

  /** Writes its part, and takes the process with it. */
  private static final class Deadly extends WritePart {
    private static final long serialVersionUID = 1;

    Deadly(SentPlan plan) {
      super(plan);
    }

    @Override
    public Iterator<byte[]> call(Iterator<Tuple2<byte[], byte[]>> hours)
        throws IOException, InterruptedException {
      List<Tuple2<byte[], byte[]>> all = new ArrayList<>();
      hours.forEachRemaining(all::add);
      Iterator<byte[]> written = super.call(all.iterator());
      if (!all.isEmpty()) {
        Runtime.getRuntime().halt(KILLED);
      }
      return written;
    }
  }
}
