package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.loadtest.WorkloadFile.WorkloadException;
import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkloadFileTest {
  @Test
  void aShortFileHasDefaults() throws Exception {
    Workload workload = WorkloadFile.parse("metrics: [a, b]\ntags: {host: 3, cpu: 2}\n", "w.yaml");
    assertEquals(12, workload.series().count());
    assertEquals(12.0, workload.pointsPerSecond());
    assertEquals(Duration.ofMinutes(1), workload.hold());
    assertEquals(List.of(), workload.limits());
    WorkloadSeries series = workload.series();
    assertEquals("b", series.metric(7));
    assertEquals(Map.of("host", "host1", "cpu", "cpu1"), series.tags(7));
    for (int i = 0; i < 12; i++) {
      assertEquals(i, series.of(i % 2, series.tags(i)));
    }
    assertEquals(List.of(5, 7), series.matching(1, Map.of("host", "host1")));
    assertEquals(-1, series.of(0, Map.of("host", "host3", "cpu", "cpu0")));
  }

  @Test
  void limitsAreRead() {
    Limit limit = Limit.of("write.service-p99.9 < 1.5s");
    assertTrue(limit.isTime() && limit.isService());
    assertEquals(99.9, limit.percentile());
    assertTrue(limit.holds(1500) && !limit.holds(1501));
    Limit done = Limit.of("one-sensor.done >= 99%");
    assertEquals("one-sensor", done.of());
    assertTrue(done.holds(0.99) && !done.holds(0.98));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metrics: [a];tags: {h: 1};colour: red|w.yaml:3: unknown key colour; allowed are batch,",
        "metrics: [a];tags: {h: 1};interval: 1 second|w.yaml:3: interval: '1 second' is no time",
        "metrics: [a];tags: {h: 1};loop: round|w.yaml: loop must be open or closed",
        "metrics: [a];tags: {h: 1};loop: closed;phases: {ramp: 1s}|w.yaml: loop: closed has no ramp",
        "metrics: [a];tags: {h: 0}|w.yaml: tags: h must have 1 or more values",
        "tags: {h: 1}|w.yaml: metrics is missing",
        "metrics: [a];tags: {h: 1};limits: [read.p99 < 1s]|w.yaml: limits: there is no read, only",
        "metrics: [a];tags: {h: 1};limits: [write.p99 < 1h]|w.yaml:3: limits: 'write.p99 < 1h' needs",
        "metrics: [a];tags: {h: 1};history: {from: soon, span: 1d}|w.yaml: history: from must be as",
        "metrics: [a];tags: {h: 1};history: {from: 2025-01-01}|w.yaml: history: span is missing",
        "metrics: [a];tags: {h: 1};interval: 7s;history: {from: 2025-01-01, span: 1d}"
            + "|w.yaml: history needs an interval that divides the hour",
        "metrics: [a];tags: {h: 1};readers: [{name: r, at: history}]|w.yaml: readers: r reads at: history",
        "metrics: [a];tags: {h: 1};values: {kind: sine}|w.yaml:3: kind: ",
        "metrics: [a|w.yaml:",
        "metrics: [a];tags: {h: 100000, i: 100000}|w.yaml: tags make more than 100000000 series",
      })
  void mistakesAreNamedWithTheirLine(String text, String message) {
    WorkloadException e =
        assertThrows(
            WorkloadException.class,
            () -> WorkloadFile.parse(text.replace(';', '\n') + "\n", "w.yaml"));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @Test
  void moreSeriesKeepTheValuesOfThoseThatWere() throws Exception {
    Workload workload = WorkloadFile.parse("metrics: [a, b]\ntags: {host: 3, cpu: 4}\n", "w.yaml");
    Workload more = workload.times(1.25);
    assertEquals(30, more.series().count());
    assertEquals(Map.of("host", "host3", "cpu", "cpu2"), more.series().tags(29));
    assertEquals(29, more.series().of(1, more.series().tags(29)));
    assertEquals(-1, more.series().of(1, Map.of("host", "host3", "cpu", "cpu3")));
    assertEquals(List.of(24, 26, 28), more.series().matching(0, Map.of("host", "host3")));
    for (int of = 0; of < workload.series().count(); of++) {
      int there = more.series().of(of % 2, workload.series().tags(of));
      assertEquals(
          WorkloadValues.key(1, workload.series(), of),
          WorkloadValues.key(1, more.series(), there));
    }
    assertEquals(2, workload.times(1e-9).series().count());
  }

  @Test
  void pointsAreWrittenAsEachProtocolWants() throws Exception {
    Workload workload =
        WorkloadFile.parse(
            """
            metrics: [cpu.user]
            tags: {host: 2, cpu: 2}
            values: {kind: constant, min: -5, decimals: 2}
            """,
            "w.yaml");
    Schedule schedule = Schedule.of(workload.times(0.5), 1_700_000_000_500L);
    assertEquals(
        "[{\"metric\":\"cpu.user\",\"timestamp\":1700000000,\"value\":-0.05,"
            + "\"tags\":{\"host\":\"host0\",\"cpu\":\"cpu0\"}},"
            + "{\"metric\":\"cpu.user\",\"timestamp\":1700000000,\"value\":-0.05,"
            + "\"tags\":{\"host\":\"host0\",\"cpu\":\"cpu1\"}}]",
        TextBatches.body(workload, schedule, Protocol.PUT, 0));
    assertEquals(
        """
        cpu,host=host0,cpu=cpu0 user=-0.05 1700000000000000000
        cpu,host=host0,cpu=cpu1 user=-0.05 1700000000000000000
        """,
        TextBatches.body(workload, schedule, Protocol.LINE, 0));
    assertEquals(
        """
        put cpu.user 1700000000 -0.05 host=host0 cpu=cpu0
        put cpu.user 1700000000 -0.05 host=host0 cpu=cpu1
        version
        """,
        TextBatches.body(workload, schedule, Protocol.TELNET, 0));
  }
}
