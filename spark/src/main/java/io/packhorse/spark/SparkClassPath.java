package io.packhorse.spark;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.metrics2.lib.DynamicMetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableMetric;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.package$;
import scala.util.Properties;

/**
 * Which Spark, Scala, Hadoop and HBase a process runs on, and why it cannot. Any thread.
 *
 * @param hadoopApart whether Hadoop's classes come from other jars than HBase's, which reach into
 *     them
 */
record SparkClassPath(
    String spark, String scala, String hadoop, String hbase, boolean hadoopApart) {
  private static final List<String> SCALAS = List.of("2.12.", "2.13.");

  /** That of this process. */
  static SparkClassPath here() {
    return new SparkClassPath(
        package$.MODULE$.SPARK_VERSION(),
        Properties.versionNumberString(),
        VersionInfo.getVersion(),
        org.apache.hadoop.hbase.util.VersionInfo.getVersion(),
        DynamicMetricsRegistry.class.getClassLoader() != MutableMetric.class.getClassLoader());
  }

  /** Why nothing can be loaded with it, naming what was found; empty if it can. */
  Optional<String> refusal() {
    if (!spark.startsWith("3.5.") && !spark.startsWith("4.")) {
      return Optional.of("this is Spark " + spark + "; Spark 3.5 or 4 is needed");
    }
    if (SCALAS.stream().noneMatch(scala::startsWith)) {
      return Optional.of(
          "this Spark is built with Scala " + scala + "; one with Scala 2.12 or 2.13 is needed");
    }
    if (!hbase.startsWith("2.")) {
      return Optional.of(
          "the class path has HBase " + hbase + "; take it out, --jars brings HBase 2");
    }
    if (!hadoop.startsWith("3.")) {
      return Optional.of("the class path has Hadoop " + hadoop + "; Hadoop 3 is needed");
    }
    if (hadoopApart) {
      return Optional.of(
          "Hadoop "
              + hadoop
              + " comes from Spark's own jars and HBase "
              + hbase
              + " from --jars, which does not work; submit with --conf"
              + " spark.driver.userClassPathFirst=true --conf"
              + " spark.executor.userClassPathFirst=true");
    }
    return Optional.empty();
  }
}
