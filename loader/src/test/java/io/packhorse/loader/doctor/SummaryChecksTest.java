package io.packhorse.loader.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What doctor says of summaries. */
class SummaryChecksTest {
  private static List<Verdict> verdicts(boolean used, String... old) {
    return SummaryChecks.claims("tsdb-summary", used, List.of(old)).stream()
        .map(Finding::verdict)
        .toList();
  }

  @Test
  void whatIsNotUsedAndWhatIsLeftBehindIsAWarning() {
    assertEquals(List.of(Verdict.OK), verdicts(true));
    assertEquals(List.of(Verdict.WARN), verdicts(false));
    assertEquals(List.of(Verdict.WARN), verdicts(true, "loader 7"));
    assertEquals(List.of(Verdict.WARN, Verdict.WARN), verdicts(false, "loader 7"));
    Finding left = SummaryChecks.claims("t", true, List.of("loader 7", "no loader")).get(0);
    assertTrue(left.sentence().contains("loader 7, no loader"), left.sentence());
  }
}
