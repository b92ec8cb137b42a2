package io.packhorse.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a process cannot load with is refused by its name and version. */
final class SparkClassPathTest {
  @Test
  void thatOfTheTestsIsGood() {
    assertEquals(Optional.empty(), SparkClassPath.here().refusal());
  }

  @ParameterizedTest
  @CsvSource({
    "3.4.4, 2.13.8, 3.4.3, 2.6.4-hadoop3, false, Spark 3.4.4",
    "3.5.9, 2.11.12, 3.4.3, 2.6.4-hadoop3, false, Scala 2.11.12",
    "3.5.9, 2.13.8, 2.10.2, 2.6.4, false, Hadoop 2.10.2",
    "3.5.9, 2.13.8, 3.3.4, 1.4.14, false, HBase 1.4.14",
    "4.0.1, 2.13.16, 3.4.1, 2.6.4-hadoop3, true, userClassPathFirst"
  })
  void whatDoesNotFitIsNamed(
      String spark, String scala, String hadoop, String hbase, boolean apart, String said) {
    String refusal = new SparkClassPath(spark, scala, hadoop, hbase, apart).refusal().orElseThrow();
    assertTrue(refusal.contains(said), refusal);
  }

  @Test
  void aDataFrameNeedsOneHadoop() {
    assertEquals(Optional.empty(), DataFrameLoad.apart(getClass().getClassLoader()));
    ClassLoader without = ClassLoader.getPlatformClassLoader();
    assertTrue(DataFrameLoad.apart(without).orElseThrow().contains("extraClassPath"));
  }
}
