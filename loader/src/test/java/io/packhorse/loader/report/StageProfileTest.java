package io.packhorse.loader.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StageProfileTest {
  @Test
  void namesAStageByTheInnermostMethodOfPackhorse() {
    String codec = "io.packhorse.schema.packed.PackedCellEncoder";
    String packer = "io.packhorse.loader.pack.HourPacker";
    assertEquals("packing", running("java.util.Arrays", codec, packer));
    assertEquals("reading and parsing", running("io.packhorse.loader.source.text.TextSource"));
    assertEquals("storing cells", running("io.packhorse.loader.sink.hfile.HFileWriter", packer));
    assertEquals(
        "waiting for the store (cells)",
        waiting("java.util.concurrent.Semaphore", "io.packhorse.loader.sink.hbase.PutSink"));
    assertEquals(
        "waiting for the store (names)",
        waiting(
            "org.apache.hadoop.hbase.client.HTable", "io.packhorse.loader.resolve.UidAssigner"));
    assertEquals("waiting for another thread", waiting("io.packhorse.loader.pipeline.Handoff"));
    assertEquals("passing points to shards", running("io.packhorse.loader.pipeline.ShardRouter"));
    assertEquals("checkpoints", running("io.packhorse.loader.job.Ledger"));
  }

  @Test
  void ignoresThreadsThatHaveNothingToDo() {
    assertEquals("", waiting("java.util.concurrent.ThreadPoolExecutor", "java.lang.Thread"));
    assertEquals("", running("io.packhorse.loader.cli.LoadWatch"));
    assertEquals("", running("io.packhorse.loader.load.LoadWatch"));
  }

  @Test
  void countsSamplesByKindOfThread() {
    StageProfile profile = new StageProfile();
    StackTraceElement[] packing = stack("io.packhorse.loader.pack.HourPacker");
    for (int i = 0; i < 3; i++) {
      profile.sample("packhorse-shard-0", Thread.State.RUNNABLE, packing);
      profile.sample("packhorse-shard-11", Thread.State.WAITING, packing);
      profile.sample("packhorse-store", Thread.State.WAITING, stack("java.lang.Thread"));
    }
    assertEquals(
        Map.of("shard", Map.of("packing", 3L, "waiting for another thread", 3L)),
        profile.samples());
    assertTrue(StageProfile.isOfLoad("packhorse-shard-0"));
    assertFalse(StageProfile.isOfLoad("hconnection-pool-1"));
  }

  private static String running(String... types) {
    return StageProfile.stage(stack(types), Thread.State.RUNNABLE);
  }

  private static String waiting(String... types) {
    return StageProfile.stage(stack(types), Thread.State.TIMED_WAITING);
  }

  private static StackTraceElement[] stack(String... types) {
    return Stream.of(types)
        .map(type -> new StackTraceElement(type, "run", null, 1))
        .toArray(StackTraceElement[]::new);
  }
}
