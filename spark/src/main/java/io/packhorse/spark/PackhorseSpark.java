package io.packhorse.spark;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.load.SpreadLoad;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Main class for {@code spark-submit}: {@code load INPUT...} with the options of that command. */
public final class PackhorseSpark {
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
    Optional<String> refusal = SparkClassPath.here().refusal();
    if (refusal.isPresent()) {
      System.err.println("packhorse: Refused before anything was read: " + refusal.get() + ".");
      return REFUSED;
    }
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "packhorse load");
    try (JavaSparkContext spark = new JavaSparkContext(conf);
        SparkWorkers workers = new SparkWorkers(spark)) {
      return Packhorse.runLoad(new SpreadLoad(workers), args);
    }
  }
}
