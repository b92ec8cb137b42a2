package io.packhorse.cluster.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class HealthTest {
  @Test
  void aHealthyClusterHasNoProblems() {
    assertEquals(List.of(), new Health(10, 0, 10, 0, 0, false).problems(10, 10, 0));
  }

  @Test
  void eachProblemIsReported() {
    assertEquals(
        List.of(
            "9 of 10 region servers live",
            "3 regions in transition",
            "8 of 10 DataNodes live",
            "2 blocks missing",
            "7 blocks with too few copies",
            "HDFS is in safe mode"),
        new Health(9, 3, 8, 2, 7, true).problems(10, 10, 6));
  }
}
