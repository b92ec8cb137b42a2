package io.packhorse.loader.receive.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerTimesTest {
  @Test
  void bucketsCountAllUpToTheirBound() {
    AnswerTimes times = new AnswerTimes();
    times.add(5_000_000);
    times.add(5_000_001);
    times.add(60_000_000_000L);
    List<String> lines = times.samples("t").lines().toList();
    assertEquals("t_bucket{le=\"0.005\"} 1", lines.get(0));
    assertEquals("t_bucket{le=\"0.01\"} 2", lines.get(1));
    assertEquals("t_bucket{le=\"10.0\"} 2", lines.get(10));
    assertEquals("t_bucket{le=\"+Inf\"} 3", lines.get(11));
    assertEquals("t_sum 60.010000001", lines.get(12));
    assertEquals("t_count 3", lines.get(13));
  }
}
