package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ScheduleTest {
  @Test
  void eachPointIsSentOnceAtItsTime() throws Exception {
    for (String ramp : new String[] {"0s", "1s", "2s", "7s", "40s"}) {
      Workload workload =
          WorkloadFile.parse(
              "metrics: [a]\ntags: {host: 47}\nbatch: 10\nphases: {ramp: %s, warm-up: 2s, hold: 4s}\n"
                  .formatted(ramp),
              "w.yaml");
      Schedule schedule = Schedule.of(workload, 1_700_000_000_000L);
      long before = -1;
      long points = 0;
      for (int batch = 0; schedule.offsetNanos(batch) < schedule.nanos(); batch++) {
        long tick = schedule.tick(batch);
        long offset = schedule.offsetNanos(batch);
        assertTrue(offset > before, batch + " of " + ramp);
        assertEquals(tick - schedule.firstTick(), offset / 1_000_000_000);
        assertEquals(tick - schedule.firstTick(), schedule.ticksOf(batch));
        for (int of = schedule.firstSeries(batch); of < schedule.endSeries(batch); of++) {
          assertEquals(batch, schedule.batch(of, tick));
          points++;
        }
        before = offset;
      }
      long full = schedule.firstFullTick() - schedule.firstTick();
      assertEquals(Long.parseLong(ramp.replace("s", "")), full);
      assertEquals(full > 0 ? -1 : 4, schedule.batch(46, schedule.firstTick()));
      assertEquals(
          5,
          schedule.firstBatch(schedule.firstFullTick() + 1)
              - schedule.firstBatch(schedule.firstFullTick()));
      assertTrue(points >= 6 * 47 + full * 10 && points <= (6 + full) * 47, points + " of " + ramp);
      assertEquals((full + 2) * 1_000_000_000L, schedule.warmUpNanos());
    }
  }
}
