package io.packhorse.benchmarks.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.benchmarks.query.Answers.Outcome;
import org.junit.jupiter.api.Test;

final class AnswersTest {
  private static final String ONE =
      """
      [{"metric":"m","tags":{"host":"a","rack":"b"},"dps":{"10":1.0,"20":3.5}}]""";

  @Test
  void tagsMayComeInAnyOrder() throws Exception {
    assertEquals(
        Outcome.ROUNDED,
        compare(ONE.replace("\"host\":\"a\",\"rack\":\"b\"", "\"rack\":\"b\",\"host\":\"a\"")));
    assertEquals(Outcome.EQUAL, compare(ONE));
  }

  @Test
  void otherSeriesAndPointsAreDifferent() throws Exception {
    assertEquals(Outcome.DIFFERENT, compare(ONE.replace("\"a\"", "\"c\"")));
    assertEquals(Outcome.DIFFERENT, compare(ONE.replace("3.5", "3.6")));
    assertEquals(Outcome.DIFFERENT, compare(ONE.replace(",\"20\":3.5", "")));
    assertEquals(Outcome.DIFFERENT, compare(ONE.replace("3.5", "3.5,\"30\":1")));
    assertEquals(Outcome.DIFFERENT, compare("[]"));
    assertEquals(Outcome.ROUNDED, compare(ONE.replace("3.5", "3.5000000000001")));
  }

  private static Outcome compare(String other) throws Exception {
    return new Answers().compare(ONE, other);
  }
}
