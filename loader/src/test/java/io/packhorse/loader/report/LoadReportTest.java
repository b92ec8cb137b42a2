package io.packhorse.loader.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.sink.CallLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LoadReportTest {
  @Test
  void fetchesAndRunsNothing() {
    String html = report(20, calls()).html();
    assertTrue(html.contains("default-src 'none'; style-src 'sha256-"), html);
    assertFalse(html.matches("(?s).*(<script|<link|<img|https?://| style=| on[a-z]+=|url\\().*"));
  }

  @Test
  void escapesWhatComesFromOutside() {
    LoadReport report =
        new LoadReport(
            "Load <b>",
            "a & b",
            "not <yet>",
            Map.of("command", "\"<script>\""),
            List.of(List.of("a<b.csv", "values from <i>")),
            Map.of("not <b>", 3L),
            List.of(),
            Map.of(),
            calls(),
            Map.of());
    assertTrue(report.html().contains("<h1>Load &lt;b&gt;</h1>"));
    assertTrue(report.html().contains("&quot;&lt;script&gt;&quot;"));
    assertTrue(report.html().contains("a &amp; b"));
    assertTrue(report.html().contains("<th scope=\"row\">a&lt;b.csv</th>"), report.html());
    assertTrue(report.html().contains("values from &lt;i&gt;"), report.html());
    assertTrue(report.html().contains("<th scope=\"row\">not &lt;b&gt;</th><td>3</td>"));
  }

  @Test
  void takesTheSentenceOfALaterVerification() {
    String html = report(20, calls()).html();
    assertTrue(html.contains("<p id=\"verification\">Not read back yet.</p>"), html);
    String verified = LoadReport.withVerification(html, "3 of 4 <points>");
    assertTrue(verified.contains("<p id=\"verification\">3 of 4 &lt;points&gt;</p>"), verified);
    assertFalse(verified.contains("Not read back"), verified);
    assertEquals(
        verified,
        LoadReport.withVerification(LoadReport.withVerification(html, "x"), "3 of 4 <points>"));
    assertEquals("no report", LoadReport.withVerification("no report", "x"));
  }

  @Test
  void captionsAndTablesHoldWhatTheChartsShow() {
    String html = report(20, calls()).html();
    assertTrue(
        html.contains("<figcaption>Points per second: mean 1,000, max 1,000 points/s"), html);
    assertTrue(html.contains("<th scope=\"row\">99 %</th>"), html);
    assertTrue(html.contains("2 regions; the largest got 1.50 times the mean"), html);
    assertTrue(html.contains("<td>1</td><td>2</td><td>7,200</td><td>300</td><td>4.0</td>"), html);
    assertTrue(html.contains("<th scope=\"row\">packing</th><td>75 %</td>"), html);
    assertEquals(count("<figure>", html), count("role=\"img\"", html));
    assertEquals(count("<figure>", html), count("<details>", html));
  }

  @Test
  void beginsWithTheFiguresThatCount() {
    String html = report(20, calls()).html();
    int figures = html.indexOf("<dl>");
    assertTrue(figures > 0 && figures < html.indexOf("<table"), html);
    assertTrue(html.contains("<dt>Points</dt><dd>19,000</dd>"), html);
    assertTrue(html.contains("<dt>Points/s</dt><dd>1,000</dd>"), html);
    assertTrue(html.contains("<dt>Bytes/point</dt>"), html);
    assertTrue(html.contains("<dt>Duration</dt><dd>19.0 s</dd>"), html);
    assertEquals("12 min 5 s", LoadReport.duration(725.4));
    assertEquals("3 h 12 min", LoadReport.duration(3 * 3600 + 12 * 60 + 59));
  }

  @Test
  void drawsNothingOutsideThePicture() {
    Matcher lines = Pattern.compile("points=\"([^\"]+)\"").matcher(report(600, calls()).html());
    int points = 0;
    while (lines.find()) {
      for (String point : lines.group(1).strip().split(" ", -1)) {
        String[] at = point.split(",", -1);
        double x = Double.parseDouble(at[0]);
        double y = Double.parseDouble(at[1]);
        assertTrue(x >= 0 && x <= 860 && y >= 0 && y <= 240, point);
        points++;
      }
    }
    assertEquals(7 * 600 - 3, points, "no call had ended when the first sample was taken");
  }

  @Test
  void breaksALineWhereThereIsNoValue() {
    double[] values = {Double.NaN, 7, Double.NaN, 3, 5, 9};
    String html =
        new Chart(
                "c",
                "Duration of calls",
                "ms",
                new double[] {0, 100, 200, 300, 400, 600},
                List.of(new Chart.Line("calls", values)))
            .html();
    assertTrue(html.contains("Duration of calls: mean 6.60, max 9 ms"), html);
    assertEquals(2, count("<polyline", html), html);
    assertTrue(html.contains("<td>–</td>"), html);
    assertTrue(html.contains(">10 min</text>"), html);
    assertFalse(html.contains("NaN"), html);
    assertFalse(html.contains("<p>"), "no legend for one line");
  }

  @Test
  void isShortForALoadOfOneSample() {
    String html = report(1, new Histogram(2)).html();
    assertFalse(html.contains("<figure>"), html);
    assertFalse(html.contains("Calls to the store"), html);
  }

  @Test
  void roundsTheStepsOfAScale() {
    assertEquals(1, Chart.niceStep(0));
    assertEquals(0.5, Chart.niceStep(1.1));
    assertEquals(5, Chart.niceStep(20.1));
    assertEquals(10, Chart.niceStep(50));
    assertEquals(200, Chart.niceStep(501));
    assertEquals("28.3 M", Html.number(28_340_000));
    assertEquals("9,999", Html.number(9_999));
    assertEquals("0.25", Html.number(0.25));
  }

  private static LoadReport report(int seconds, Histogram calls) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      samples.add(SamplesTest.sample(i, i * 1000L, 0, i));
    }
    return new LoadReport(
        "Load x",
        "Finished.",
        "Not read back yet.",
        Map.of("command", "packhorse load x"),
        List.of(),
        Map.of(),
        samples,
        Map.of("shard", Map.of("packing", 3L, "passing points to shards", 1L)),
        calls,
        Map.of(
            "",
            new CallLog.Share(1, 2, 7_200, 300, 4000),
            "01",
            new CallLog.Share(1, 2, 60, 100, 4000)));
  }

  private static Histogram calls() {
    Histogram calls = new Histogram(2);
    for (int i = 1; i <= 100; i++) {
      calls.recordValue(i * 1000L);
    }
    return calls;
  }

  private static int count(String what, String in) {
    return in.split(Pattern.quote(what), -1).length - 1;
  }
}
