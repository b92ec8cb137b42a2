package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.loadtest.WorkloadFile.WorkloadException;
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
    assertEquals(12, workload.series());
    assertEquals(12.0, workload.pointsPerSecond());
    assertEquals(Duration.ofMinutes(1), workload.hold());
    assertEquals(List.of(), workload.limits());
    WorkloadSeries series = new WorkloadSeries(workload);
    assertEquals("b", series.metric(6));
    assertEquals(Map.of("host", "host1", "cpu", "cpu1"), series.tags(9));
    for (int i = 0; i < 12; i++) {
      assertEquals(i, series.of(i / 6, series.tags(i)));
    }
    assertEquals(List.of(8, 9), series.matching(1, Map.of("host", "host1")));
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
        "metrics: [a];tags: {h: 0}|w.yaml: tags: h must have 1 or more values",
        "tags: {h: 1}|w.yaml: metrics is missing",
        "metrics: [a];tags: {h: 1};limits: [read.p99 < 1s]|w.yaml: limits: there is no read, only",
        "metrics: [a];tags: {h: 1};limits: [write.p99 < 1h]|w.yaml:3: limits: 'write.p99 < 1h' needs",
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
  void valuesFollowFromSeedSeriesAndTimeAndStayInTheirRange() {
    for (ValueKind kind : ValueKind.values()) {
      Values values = new Values(kind, -50, 950, 5, 60, 2);
      long different = 0;
      long before = Long.MIN_VALUE;
      for (long tick = 28_000_000; tick < 28_001_000; tick++) {
        long mantissa = values.mantissa(7, 3, tick);
        assertEquals(mantissa, values.mantissa(7, 3, tick));
        assertTrue(
            mantissa >= (kind == ValueKind.COUNTER ? 0 : -50) && mantissa <= 950,
            kind + " " + mantissa);
        assertEquals(values.value(mantissa), Double.parseDouble(values.text(mantissa)));
        different += mantissa != before ? 1 : 0;
        before = mantissa;
      }
      assertTrue(kind == ValueKind.CONSTANT ? different == 1 : different > 10, kind.toString());
    }
    assertEquals("-0.05", new Values(ValueKind.NOISE, -9, 9, 1, 1, 2).text(-5));
    assertEquals("20.5", new Values(ValueKind.NOISE, 0, 9, 1, 1, 1).text(205));
  }
}
