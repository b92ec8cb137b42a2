package io.packhorse.loader.report;

import io.packhorse.loader.sink.CallLog;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What is told of one run of a load, as one HTML file that loads nothing and runs nothing.
 *
 * @param title names the job
 * @param verdict how it ended, a sentence
 * @param facts by name, in the order they are shown
 * @param samples in the order of time
 * @param looks by kind of thread and stage
 * @param calls times of calls to the store in microseconds
 * @param regions what each got, by its first key
 */
public record LoadReport(
    String title,
    String verdict,
    Map<String, String> facts,
    List<Sample> samples,
    Map<String, Map<String, Long>> looks,
    Histogram calls,
    Map<String, CallLog.Share> regions) {
  private static final int REGIONS_SHOWN = 100;
  private static final int BAR_WIDTH = 120;

  /** Of a rate; samples are taken every half second. */
  private static final double SECONDS_MIN = 0.2;

  private static final String STYLE =
      """
      :root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#5b6470;--rule:#d5dae0;--a:#0b62c4;--b:#b4530a;--c:#7a1fa2}
      @media (prefers-color-scheme:dark){:root{--fg:#e6e9ee;--bg:#15181c;--dim:#9aa4b1;--rule:#363d46;--a:#6cb0ff;--b:#ffae5c;--c:#d79bff}}
      body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:900px;margin:2em auto;padding:0 1em}
      h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}figure{margin:1em 0}
      table{border-collapse:collapse;margin:.5em 0;min-width:24em}caption{text-align:left;color:var(--dim)}
      th,td{padding:.15em .8em .15em 0;text-align:right;border-bottom:1px solid var(--rule)}
      th[scope=row],th[scope=col]:first-child{text-align:left;font-weight:normal;overflow-wrap:anywhere}
      table.facts td{text-align:left;overflow-wrap:anywhere}table.facts th{white-space:nowrap}
      svg{width:100%;height:auto}svg.bar{width:120px;height:10px}
      svg text{fill:var(--dim);font-size:12px}text.y{text-anchor:end}text.x{text-anchor:middle}
      .grid{stroke:var(--rule)}polyline{fill:none;stroke-width:1.6;stroke-linecap:round}
      .l0{stroke:var(--a)}.l1{stroke:var(--b);stroke-dasharray:6 3}.l2{stroke:var(--c);stroke-dasharray:2 3}
      .key{margin-right:1.5em;border-bottom:2px solid}.k0{border-color:var(--a)}.k1{border-color:var(--b);border-bottom-style:dashed}
      .k2{border-color:var(--c);border-bottom-style:dotted}rect{fill:var(--a)}
      summary,footer{color:var(--dim)}@media print{details{display:none}}
      """;

  /** The whole file. */
  public String html() {
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    html.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.append("style-src 'sha256-").append(sha256(STYLE)).append("'\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html.append(Html.escape(title)).append("</title>\n<style>").append(STYLE);
    html.append("</style></head>\n<body><main>\n<h1>").append(Html.escape(title)).append("</h1>\n");
    html.append("<p><strong>").append(Html.escape(verdict)).append("</strong></p>\n");
    html.append(factTable());
    if (samples.size() > 1) {
      html.append(throughput());
    }
    html.append(latency());
    html.append(regionTable());
    html.append(stages());
    html.append(
        "</main><footer><p>One run of the load, seen from the loader. CPU and heap are the");
    html.append(" loader's; what HBase takes is not among them.</p></footer></body></html>\n");
    return html.toString();
  }

  private String factTable() {
    List<List<String>> rows = new ArrayList<>();
    facts.forEach((name, value) -> rows.add(List.of(name, value)));
    return Html.table("The load", List.of("", ""), rows)
        .replaceFirst("<table>", "<table class=\"facts\">");
  }

  private String throughput() {
    return "<h2>Throughput</h2>\n"
        + chart("points", "Points a second", "points/s", rate("points", Sample::points))
        + chart("cores", "Processors in use", "cores", rate("loader", Sample::cpuSeconds))
        + chart(
            "heap",
            "Heap in use",
            "MB",
            new Chart.Line("heap", values(sample -> (double) sample.heapBytes() / 1e6)));
  }

  private String latency() {
    if (calls.getTotalCount() == 0) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
      rows.add(
          List.of(
              percentile == 100 ? "longest" : Html.number(percentile) + " %",
              String.format(Locale.ROOT, "%.1f", calls.getValueAtPercentile(percentile) / 1e3)));
    }
    String head = "<h2>Calls to the store</h2>\n";
    String table =
        Html.table(
            String.format(Locale.ROOT, "%,d calls", calls.getTotalCount()),
            List.of("as fast or faster", "ms"),
            rows);
    return samples.size() < 2
        ? head + table
        : head
            + table
            + chart(
                "calls",
                "Time of a call",
                "ms",
                new Chart.Line("median", ofCalls(Sample::callMsMedian)),
                new Chart.Line("99 %", ofCalls(Sample::callMs99)),
                new Chart.Line("longest", ofCalls(Sample::callMsMax)))
            + chart(
                "flight",
                "Calls under way",
                "calls",
                new Chart.Line("calls", values(Sample::inFlight)));
  }

  private String regionTable() {
    if (regions.isEmpty()) {
      return "";
    }
    long all = regions.values().stream().mapToLong(CallLog.Share::bytes).sum();
    long most = regions.values().stream().mapToLong(CallLog.Share::bytes).max().orElse(1);
    StringBuilder html = new StringBuilder("<h2>Regions</h2>\n<table><caption>");
    html.append(
        String.format(
            Locale.ROOT,
            "%d regions; the largest share is %.2f times the mean",
            regions.size(),
            (double) most * regions.size() / Math.max(1, all)));
    html.append("</caption><tr><th scope=\"col\">first key</th><th scope=\"col\">calls</th>");
    html.append("<th scope=\"col\">cells</th><th scope=\"col\">points</th>");
    html.append("<th scope=\"col\">bytes</th>");
    html.append("<th scope=\"col\">ms a call</th><th scope=\"col\">share</th><th></th></tr>\n");
    regions.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, CallLog.Share> region) -> region.getValue().bytes())
                .reversed())
        .limit(REGIONS_SHOWN)
        .forEach(
            region -> {
              CallLog.Share share = region.getValue();
              html.append(
                  String.format(
                      Locale.ROOT,
                      "<tr><th scope=\"row\">%s</th><td>%,d</td><td>%,d</td><td>%s</td><td>%s</td>"
                          + "<td>%.1f</td><td>%.1f %%</td><td>%s</td></tr>\n",
                      Html.escape(region.getKey().isEmpty() ? "(first)" : region.getKey()),
                      share.calls(),
                      share.cells(),
                      Html.number((double) share.points()),
                      Html.number((double) share.bytes()),
                      share.micros() / 1e3 / Math.max(1, share.calls()),
                      100.0 * share.bytes() / Math.max(1, all),
                      bar((double) share.bytes() / Math.max(1, most))));
            });
    return html.append("</table>\n").toString();
  }

  private String stages() {
    if (looks.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<h2>Where the time went</h2>\n");
    looks.forEach(
        (kind, stages) -> {
          long all = stages.values().stream().mapToLong(Long::longValue).sum();
          html.append("<table><caption>Threads named ").append(Html.escape(kind));
          html.append(
              String.format(
                  Locale.ROOT,
                  ", %,d looks at their stacks; who waits for a processor counts as at work",
                  all));
          html.append("</caption>\n");
          stages.entrySet().stream()
              .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
              .forEach(
                  stage ->
                      html.append(
                          String.format(
                              Locale.ROOT,
                              "<tr><th scope=\"row\">%s</th><td>%.0f %%</td><td>%s</td></tr>\n",
                              Html.escape(stage.getKey()),
                              100.0 * stage.getValue() / all,
                              bar((double) stage.getValue() / all))));
          html.append("</table>\n");
        });
    return html.toString();
  }

  private static String bar(double share) {
    return String.format(
        Locale.ROOT,
        "<svg class=\"bar\" viewBox=\"0 0 %d 10\" aria-hidden=\"true\"><rect width=\"%.1f\""
            + " height=\"10\"/></svg>",
        BAR_WIDTH,
        BAR_WIDTH * share);
  }

  private String chart(String id, String title, String unit, Chart.Line... lines) {
    double[] seconds = values(Sample::seconds);
    return new Chart(id, title, unit, seconds, List.of(lines)).html();
  }

  private double[] values(ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).toArray();
  }

  /** Times of calls; none where no call has ended. */
  private double[] ofCalls(ToDoubleFunction<Sample> time) {
    return values(sample -> sample.callMsMax() > 0 ? time.applyAsDouble(sample) : Double.NaN);
  }

  /**
   * What a count has grown by a second, between each sample and the one before it. The last one may
   * follow so soon that it says nothing.
   */
  private Chart.Line rate(String name, ToDoubleFunction<Sample> count) {
    double[] counts = values(count);
    double[] seconds = values(Sample::seconds);
    double[] rates = new double[counts.length];
    for (int i = 1; i < counts.length; i++) {
      double elapsed = seconds[i] - seconds[i - 1];
      rates[i] =
          i > 1 && elapsed < SECONDS_MIN
              ? rates[i - 1]
              : (counts[i] - counts[i - 1]) / Math.max(1e-3, elapsed);
    }
    rates[0] = counts.length > 1 ? rates[1] : 0;
    return new Chart.Line(name, rates);
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
