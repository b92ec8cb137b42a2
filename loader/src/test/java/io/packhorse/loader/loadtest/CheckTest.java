package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.loadtest.Check.Finding;
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
  private WorkloadSeries series;

  @SuppressWarnings("NullAway.Init")
  private Schedule schedule;

  @BeforeEach
  void begin() throws Exception {
    workload =
        WorkloadFile.parse(
            "metrics: [a]\ntags: {host: 5}\nbatch: 2\nvalues: {decimals: 1}\n", "w.yaml");
    series = new WorkloadSeries(workload);
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

  private static List<Check.Line> lineOf(NavigableMap<Long, Double> points) {
    return List.of(new Check.Line(Map.of(), points));
  }

  private List<Check.Line> answer() {
    List<Check.Line> answer = new ArrayList<>();
    for (int of = 0; of < 5; of++) {
      TreeMap<Long, Double> points = new TreeMap<>();
      for (long tick = schedule.firstTick(); tick < schedule.firstTick() + TICKS; tick++) {
        Values values = workload.values();
        points.put(schedule.tickMs(tick), values.value(values.mantissa(workload.seed(), of, tick)));
      }
      answer.add(new Check.Line(series.tags(of), points));
    }
    return answer;
  }

  private Finding check(String aggregator, String downsample, List<Check.Line> answer) {
    Reader reader = new Reader("r", aggregator, downsample, Map.of(), Duration.ofMinutes(5), 1);
    long first = schedule.firstTick();
    return new Check(workload, series, schedule, acknowledged)
        .of(new Check.Query(reader, 0, Map.of(), first - 100, first + TICKS - 1), answer)
        .finding();
  }
}
