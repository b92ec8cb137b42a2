package io.packhorse.spark;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.load.SpreadLoad;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.util.Properties;

/** Main class for {@code spark-submit}: {@code load INPUT...} with the options of that command. */
public final class PackhorseSpark {
  private static final String SCALA = "2.13";
  private static final int USAGE = 2;
  private static final int REFUSED = 7;

  private PackhorseSpark() {}

  /**
   * Loads files.
   *
   * @param args {@code load} and its options; everything else is refused
   */
  public static void main(String[] args) {
    int code = run(args);
    if (code != 0) {
      System.exit(code);
    }
  }

  private static int run(String... args) {
    if (args.length == 0 || !args[0].equals("load")) {
      System.err.println(
          "packhorse: on Spark there is one command: load INPUT... with its options");
      return USAGE;
    }
    String scala = Properties.versionNumberString();
    if (!scala.startsWith(SCALA + ".")) {
      System.err.println(
          "packhorse: this Spark is built with Scala "
              + scala
              + ", a build with Scala "
              + SCALA
              + " is needed");
      return REFUSED;
    }
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "packhorse load");
    try (JavaSparkContext spark = new JavaSparkContext(conf);
        SparkWorkers workers = new SparkWorkers(spark)) {
      return Packhorse.runLoad(new SpreadLoad(workers), args);
    }
  }
}
