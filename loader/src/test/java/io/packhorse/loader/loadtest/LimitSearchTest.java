package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.loadtest.LoadTestResult.Judged;
import io.packhorse.loader.loadtest.LoadTestResult.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A target that keeps its limits up to a known rate. */
final class LimitSearchTest {
  private static final Limit LIMIT = Limit.of("write.p99 < 250ms");

  @Test
  void theLimitIsFoundToFivePercent() throws Exception {
    for (double limit : new double[] {1_400, 1_000, 37_000, 260, 33}) {
      LimitSearch.Found found = search(limit, Double.MAX_VALUE);
      assertEquals(Verdict.PASSED, found.verdict());
      double kept = found.kept().orElseThrow().pointsPerSecond();
      double missed = found.missed().orElseThrow().pointsPerSecond();
      assertTrue(kept <= limit && limit < missed, kept + " " + limit + " " + missed);
      assertTrue(missed <= kept * LimitSearch.CLOSE || missed - kept <= 1, kept + " " + missed);
      long rates = found.steps().stream().mapToDouble(LimitSearch.Step::factor).distinct().count();
      assertTrue(rates <= 14, rates + " rates");
    }
  }

  @Test
  void aTargetThatKeepsNoLimitMissesThem() throws Exception {
    LimitSearch.Found found = search(0, Double.MAX_VALUE);
    assertEquals(Verdict.MISSED, found.verdict());
    assertTrue(found.kept().isEmpty());
  }

  @Test
  void aSlowGeneratorAndAWrongAnswerEndTheSearch() throws Exception {
    LimitSearch.Found late = search(Double.MAX_VALUE, 3_000);
    assertEquals(Verdict.INVALID, late.verdict());
    assertEquals(2_000, late.kept().orElseThrow().pointsPerSecond());
    LimitSearch.Found wrong = LimitSearch.of(workload(), (at, number) -> result(at, true, 1, ""));
    assertEquals(Verdict.WRONG_DATA, wrong.verdict());
    assertEquals(1, wrong.steps().size());
  }

  /** Every other step falls into a pause, of the target or of the generator. */
  @Test
  void aPauseInOneStepIsNoLimit() throws Exception {
    for (String late : List.of("", "late")) {
      LimitSearch.Found found =
          LimitSearch.of(
              workload(),
              (at, number) ->
                  number % 2 == 1
                      ? result(at, false, 0, late)
                      : result(at, at.pointsPerSecond() <= 7_000, 0, ""));
      assertEquals(Verdict.PASSED, found.verdict());
      double kept = found.kept().orElseThrow().pointsPerSecond();
      assertTrue(kept <= 7_000 && kept * LimitSearch.CLOSE >= 7_000, "" + kept);
      assertEquals(Verdict.PASSED, found.kept().orElseThrow().result().verdict());
    }
  }

  private static LimitSearch.Found search(double limit, double generator) throws Exception {
    return LimitSearch.of(
        workload(),
        (at, number) ->
            result(
                at,
                at.pointsPerSecond() <= limit,
                0,
                at.pointsPerSecond() > generator ? "late" : ""));
  }

  private static Workload workload() throws Exception {
    return WorkloadFile.parse("metrics: [a]\ntags: {site: 10, sensor: 100}\n", "w.yaml");
  }

  private static LoadTestResult result(Workload at, boolean kept, int wrong, String generator) {
    return new LoadTestResult(
        at,
        1,
        List.of(),
        List.of(new Judged(LIMIT, kept ? 1 : 999, kept)),
        0,
        wrong,
        0,
        List.of(),
        StoreLoad.NOT_ASKED,
        generator);
  }
}
