package io.packhorse.loader.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class PrometheusTest {
  @Test
  void writesWhatAPrometheusReads() {
    Histogram calls = new Histogram(2);
    calls.recordValue(2_000_000);
    List<String> lines =
        Prometheus.text(SamplesTest.sample(10, 1_000, 0.25, 0), calls).lines().toList();
    assertTrue(lines.contains("packhorse_points_total 1000"), lines.toString());
    assertTrue(lines.contains("packhorse_input_ratio 0.25"), lines.toString());
    assertTrue(lines.contains("packhorse_call_seconds_count 1"), lines.toString());
    for (String line : lines) {
      assertTrue(
          line.matches(
              "# (HELP packhorse_[a-z_]+ .+|TYPE packhorse_[a-z_]+ (counter|gauge|summary))"
                  + "|packhorse_[a-z_]+(\\{quantile=\"[0-9.]+\"\\})? [0-9.E-]+"),
          line);
    }
  }

  @Test
  void omitsAnUnknownShare() {
    String text = Prometheus.text(SamplesTest.sample(0, 0, -1, 0), new Histogram(2));
    assertEquals(-1, text.indexOf("input_ratio"));
    assertTrue(text.contains("packhorse_call_seconds_sum 0.0"), text);
  }
}
