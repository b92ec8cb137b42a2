package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.JobShard;
import io.packhorse.schema.key.BaseTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Shards of a selection. */
final class PointSelectionTest {
  private static final long START_MS = 1_704_067_200_000L;

  private final SplittableRandom random = new SplittableRandom(35);

  @Test
  void theShardsAreTheWholeAndMeetAtHours() {
    for (int round = 0; round < 1_000; round++) {
      int count = random.nextInt(1, 20);
      long from = START_MS + random.nextLong(BaseTime.HOUR_MS);
      long to = from + (long) count * BaseTime.HOUR_MS + random.nextLong(100 * BaseTime.HOUR_MS);
      PointSelection whole = between(from, to);
      long at = from;
      long least = Long.MAX_VALUE;
      long most = 0;
      for (int number = 1; number <= count; number++) {
        PointSelection part = whole.shard(new JobShard(number, count), "--to");
        assertEquals(at, part.fromMs());
        assertTrue(part.toMs() > part.fromMs());
        assertTrue(number == count || part.toMs() % BaseTime.HOUR_MS == 0);
        assertEquals(whole.metrics(), part.metrics());
        assertEquals(whole.tags(), part.tags());
        at = part.toMs();
        long hours =
            (part.toMs() + BaseTime.HOUR_MS - 1) / BaseTime.HOUR_MS
                - part.fromMs() / BaseTime.HOUR_MS;
        least = Math.min(least, hours);
        most = Math.max(most, hours);
      }
      assertEquals(to, at);
      assertTrue(most - least <= 1, "hours of the shards: " + least + " to " + most);
    }
  }

  @Test
  void whatCannotBeCutIsRefused() {
    JobShard second = new JobShard(2, 3);
    PointSelection open =
        new PointSelection(
            List.of(), new TreeMap<>(), Optional.empty(), Optional.of(Instant.ofEpochMilli(9)));
    assertEquals(open, open.shard(JobShard.WHOLE, "--to"));
    assertTrue(refusal(open, second).contains("name both"), refusal(open, second));
    PointSelection few = between(START_MS + 1, START_MS + BaseTime.HOUR_MS + 1);
    assertTrue(refusal(few, second).contains("There are 2 hours"), refusal(few, second));
    assertEquals(few.toMs(), few.shard(new JobShard(2, 2), "--to").toMs());
  }

  private static String refusal(PointSelection of, JobShard shard) {
    OperationException refused =
        assertThrows(OperationException.class, () -> of.shard(shard, "--to"));
    assertEquals(OperationException.Kind.USAGE, refused.kind());
    return String.valueOf(refused.getMessage());
  }

  private static PointSelection between(long fromMs, long toMs) {
    return new PointSelection(
        List.of("m"),
        new TreeMap<>(),
        Optional.of(Instant.ofEpochMilli(fromMs)),
        Optional.of(Instant.ofEpochMilli(toMs)));
  }
}
