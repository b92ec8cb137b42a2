package io.packhorse.loader.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.table.FoundServer;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ClusterChecksTest {
  private static final long NOW = 1_700_000_000_000L;

  @Test
  void toleratesTheDelayOfAReport() {
    assertEquals(Verdict.OK, clock(0).verdict());
    assertEquals(Verdict.OK, clock(-20_000).verdict());
    assertEquals(Verdict.OK, clock(5_000).verdict());
  }

  @Test
  void warnsOfSkewedClocks() {
    assertEquals("6 s ahead of this machine", clock(6_000).found());
    assertEquals("30 s behind this machine", clock(-30_000).found());
    assertEquals(Verdict.WARN, clock(-30_000).verdict());
  }

  @Test
  void failsWhileTheLastLoadIsStampedInTheFuture() {
    assertEquals(Verdict.OK, stamps(OptionalLong.empty()).verdict());
    assertEquals(Verdict.OK, stamps(OptionalLong.of(NOW - 1)).verdict());
    Finding future = stamps(OptionalLong.of(NOW + 3_600_000));
    assertEquals(Verdict.FAIL, future.verdict());
    assertTrue(future.found().contains("3600 s in the future"), future.found());
  }

  @Test
  void warnsBelowAFifthOfADiskFree() {
    assertEquals(Verdict.OK, room(30, 100).verdict());
    assertEquals(Verdict.WARN, room(19, 100).verdict());
    assertEquals(Verdict.FAIL, room(4, 100).verdict());
    assertEquals(Verdict.FAIL, room(0, 0).verdict());
    assertEquals("jobs: 19.0 GB free, 19 %", room(19, 100).found());
  }

  private static Finding clock(long aheadMs) {
    return ClusterChecks.clock(new FoundServer("rs:1", NOW + aheadMs, NOW, 0));
  }

  private static Finding stamps(OptionalLong last) {
    return ClusterChecks.stamps("packhorse", last, NOW);
  }

  private static Finding room(long freeGb, long totalGb) {
    return ClusterChecks.diskSpace(
        "jobs", "/data", freeGb * 1_000_000_000, totalGb * 1_000_000_000);
  }
}
