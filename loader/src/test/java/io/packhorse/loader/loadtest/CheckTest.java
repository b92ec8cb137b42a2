package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.loadtest.Check.Finding;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers made by hand, right and with every kind of mistake. */
final class CheckTest {
  private static final int TICKS = 40;

  private final Acknowledged acknowledged = new Acknowledged();

  @SuppressWarnings("NullAway.Init")
  private Workload workload;

  @SuppressWarnings("NullAway.Init")
  private Schedule schedule;

  @BeforeEach
  void begin() throws Exception {
    workload =
        WorkloadFile.parse(
            "metrics: [a]\ntags: {host: 5}\nbatch: 2\nvalues: {decimals: 1}\n", "w.yaml");
    schedule = Schedule.of(workload, 1_700_000_000_000L);
    for (int batch = 0; batch < TICKS * schedule.batchesATick(); batch++) {
      acknowledged.ended(batch, true);
    }
  }

  @Test
  void pointsAreCompared() {
    List<Check.Line> answer = answer();
    assertEquals(Finding.RIGHT, check("none", "", answer));
    long time = schedule.tickMs(schedule.firstTick() + 7);
    double value = answer.get(1).points().getOrDefault(time, 0.0);
    answer.get(1).points().put(time, value + 0.1);
    assertEquals(Finding.WRONG, check("none", "", answer));
    answer.get(1).points().remove(time);
    assertEquals(Finding.WRONG, check("none", "", answer), "acknowledged and missing");
    acknowledged.ended((int) schedule.batch(1, schedule.firstTick() + 7), false);
    assertEquals(Finding.RIGHT, check("none", "", answer), "it was not acknowledged");
    answer.add(new Check.Line(Map.of("host", "host9"), new TreeMap<>()));
    assertEquals(Finding.WRONG, check("none", "", answer), "a series that nobody wrote");
  }

  @Test
  void aggregatesAreCompared() {
    TreeMap<Long, Double> sums = new TreeMap<>();
    TreeMap<Long, Double> averages = new TreeMap<>();
    for (Check.Line line : answer()) {
      line.points()
          .forEach(
              (time, value) -> {
                sums.merge(time, value, Double::sum);
                averages.merge(time / 10_000 * 10_000, value / 10, Double::sum);
              });
    }
    averages.replaceAll((time, sum) -> sum / 5);
    assertEquals(Finding.RIGHT, check("sum", "", lineOf(sums)));
    assertEquals(Finding.RIGHT, check("avg", "10s-avg", lineOf(averages)));
    averages.merge(1_700_000_010_000L, 0.001, Double::sum);
    assertEquals(Finding.WRONG, check("avg", "10s-avg", lineOf(averages)));
    assertEquals(Finding.WRONG, check("sum", "", List.of()), "nothing where points must be");
    acknowledged.ended(3, false);
    assertEquals(Finding.UNCHECKED, check("avg", "10s-avg", lineOf(averages)));
  }

  /** Only what was aggregated during the ramp is not known; what came after it is checked. */
  @Test
  void aggregatesAfterTheRampAreCompared() throws Exception {
    workload =
        WorkloadFile.parse(
            "metrics: [a]\ntags: {host: 5}\nbatch: 2\nphases: {ramp: 15s}\n", "w.yaml");
    schedule = Schedule.of(workload, 1_700_000_000_000L);
    for (int batch = 0; batch < schedule.firstBatch(schedule.firstTick() + TICKS); batch++) {
      acknowledged.ended(batch, true);
    }
    TreeMap<Long, Double> sums = new TreeMap<>();
    answer()
        .forEach(
            line -> line.points().forEach((time, value) -> sums.merge(time, value, Double::sum)));
    sums.replaceAll((time, sum) -> time < schedule.tickMs(schedule.firstFullTick()) ? -1 : sum);
    assertEquals(Finding.RIGHT, check("sum", "", lineOf(sums)));
    sums.merge(schedule.tickMs(schedule.firstFullTick()), 1.0, Double::sum);
    assertEquals(Finding.WRONG, check("sum", "", lineOf(sums)));
  }

  private static List<Check.Line> lineOf(NavigableMap<Long, Double> points) {
    return List.of(new Check.Line(Map.of(), points));
  }

  @Test
  void historyIsCompared() throws Exception {
    Workload filled =
        WorkloadFile.parse(
            """
            metrics: [a]
            tags: {host: 5}
            interval: 1m
            history: {from: 2025-01-01, span: 1d}
            """,
            "w.yaml");
    Reader reader = new Reader("r", "none", "", Map.of(), true, Duration.ofHours(1), 1);
    long first = 1_735_689_600L / 60;
    Check.Query query = new Check.Query(reader, filled.series(), 0, Map.of(), first, first + 59);
    Check check = new Check(filled, Schedule.of(filled, 1_764_000_000_000L), new Acknowledged());
    List<Check.Line> answer = new ArrayList<>();
    for (int of = 0; of < 5; of++) {
      TreeMap<Long, Double> points = new TreeMap<>();
      for (long tick = first; tick < first + 60; tick++) {
        points.put(tick * 60_000, value(filled, of, tick));
      }
      answer.add(new Check.Line(filled.series().tags(of), points));
    }
    assertEquals(Finding.RIGHT, check.of(query, answer).finding());
    answer.get(4).points().remove((first + 59) * 60_000);
    Check.Found missing = check.of(query, answer);
    assertEquals(Finding.WRONG, missing.finding());
    assertTrue(missing.sentence().contains("loadtest fill"), missing.sentence());
    assertEquals(Finding.WRONG, check.of(query, List.of()).finding());
  }

  private static double value(Workload workload, int of, long tick) {
    WorkloadValues values = workload.values();
    long key = WorkloadValues.key(workload.seed(), workload.series(), of);
    return values.value(values.mantissa(key, tick));
  }

  private List<Check.Line> answer() {
    List<Check.Line> answer = new ArrayList<>();
    for (int of = 0; of < 5; of++) {
      TreeMap<Long, Double> points = new TreeMap<>();
      for (long tick = schedule.firstTick(); tick < schedule.firstTick() + TICKS; tick++) {
        points.put(schedule.tickMs(tick), value(workload, of, tick));
      }
      answer.add(new Check.Line(workload.series().tags(of), points));
    }
    return answer;
  }

  private Finding check(String aggregator, String downsample, List<Check.Line> answer) {
    Reader reader =
        new Reader("r", aggregator, downsample, Map.of(), false, Duration.ofMinutes(5), 1);
    long first = schedule.firstTick();
    return new Check(workload, schedule, acknowledged)
        .of(
            new Check.Query(reader, workload.series(), 0, Map.of(), first - 100, first + TICKS - 1),
            answer)
        .finding();
  }
}
