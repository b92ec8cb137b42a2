package io.packhorse.loader.report;

import io.packhorse.loader.sink.CallLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The report of one run of a load: an HTML file without scripts that fetches nothing. Immutable.
 *
 * @param title with the name of the job
 * @param verdict how the run ended, a sentence
 * @param verification whether the points were read back, a sentence
 * @param facts details by name, in the order in which they are shown
 * @param inputs how each kind of input was read, and what else was said of them: a name or topic,
 *     and a sentence, each
 * @param rejects lines by reason
 * @param samples in the order of time
 * @param stackSamples number of samples by kind of thread and stage
 * @param calls durations of calls to the store, in microseconds
 * @param regions what each region got, by its first key in hex
 */
public record LoadReport(
    String title,
    String verdict,
    String verification,
    Map<String, String> facts,
    List<List<String>> inputs,
    Map<String, Long> rejects,
    List<Sample> samples,
    Map<String, Map<String, Long>> stackSamples,
    Histogram calls,
    Map<String, CallLog.Share> regions) {
  private static final int REGIONS_SHOWN = 100;
  private static final int BAR_WIDTH = 120;
  private static final String VERIFICATION = "<p id=\"verification\">";

  /** The shortest time over which a rate is computed; samples are taken every half second. */
  private static final double SECONDS_MIN = 0.2;

  /** The whole file. */
  public String html() {
    String head =
        "<h1>"
            + Html.escape(title)
            + "</h1>\n<p>"
            + Html.escape(verdict)
            + "</p>\n"
            + headline()
            + VERIFICATION
            + Html.escape(verification)
            + "</p>\n";
    return Page.html(
        title,
        "Report of a load",
        0,
        List.of(
            head,
            rejectTable(),
            inputTable(),
            factTable(),
            throughput(),
            latency(),
            regionTable(),
            stages()),
        "Figures of one run, measured in the loader. CPU and memory are the loader's, without"
            + " HBase.");
  }

  /**
   * A report with another sentence about what was read back.
   *
   * @param html of a report
   */
  public static String withVerification(String html, String verification) {
    int from = html.indexOf(VERIFICATION) + VERIFICATION.length();
    int to = html.indexOf("</p>", from);
    return html.contains(VERIFICATION) && to >= 0
        ? html.substring(0, from) + Html.escape(verification) + html.substring(to)
        : html;
  }

  /** The figures of this run that count most. */
  private String headline() {
    if (samples.isEmpty()) {
      return "";
    }
    Sample last = samples.get(samples.size() - 1);
    long points = last.points() - samples.get(0).points();
    double seconds = Math.max(1e-3, last.seconds());
    return "<dl>"
        + figure("Points", String.format(Locale.ROOT, "%,d", points))
        + figure("Points/s", Html.number(points / seconds))
        + figure("Bytes/point", String.format(Locale.ROOT, "%.3f", last.bytesPerPoint()))
        + figure("Duration", duration(seconds))
        + "</dl>\n";
  }

  private static String figure(String name, String value) {
    return "<div><dt>" + name + "</dt><dd>" + value + "</dd></div>\n";
  }

  /** {@code 11.7 s}, {@code 12 min 5 s}, {@code 3 h 12 min}. */
  static String duration(double seconds) {
    if (seconds < 99.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? whole / 60 + " min " + whole % 60 + " s"
        : whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }

  private String factTable() {
    List<List<String>> rows = new ArrayList<>();
    facts.forEach((name, value) -> rows.add(List.of(name, value)));
    return "<h2>Details</h2>\n" + Html.table("facts", rows);
  }

  private String rejectTable() {
    if (rejects.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rejects.forEach(
        (reason, lines) -> rows.add(List.of(reason, String.format(Locale.ROOT, "%,d", lines))));
    return "<h2>Rejected</h2>\n"
        + Html.table("by reason", List.of("reason", "lines or fields"), rows);
  }

  private String inputTable() {
    return inputs.isEmpty() ? "" : "<h2>Inputs</h2>\n" + Html.table("facts", inputs);
  }

  private String throughput() {
    if (samples.size() < 2) {
      return "";
    }
    return "<h2>Throughput</h2>\n"
        + chart("points", "Points per second", "points/s", rate("points", Sample::points))
        + chart("cores", "CPU cores in use", "cores", rate("loader", Sample::cpuSeconds))
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
              percentile == 100 ? "max" : Html.number(percentile) + " %",
              String.format(Locale.ROOT, "%.1f", calls.getValueAtPercentile(percentile) / 1e3)));
    }
    String head = "<h2>Calls to the store</h2>\n";
    String table =
        Html.table(
                String.format(Locale.ROOT, "%,d calls", calls.getTotalCount()),
                List.of("percentile", "duration, ms"),
                rows)
            .replaceFirst("<table>", "<table class=\"narrow\">");
    return samples.size() < 2
        ? head + table
        : head
            + table
            + chart(
                "calls",
                "Duration of calls",
                "ms",
                new Chart.Line("median", ofCalls(Sample::callMsMedian)),
                new Chart.Line("99 %", ofCalls(Sample::callMs99)),
                new Chart.Line("max", ofCalls(Sample::callMsMax)))
            + chart(
                "flight",
                "Calls in flight",
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
            "%d %s; the largest got %.2f times the mean",
            regions.size(),
            regions.size() == 1 ? "region" : "regions",
            (double) most * regions.size() / Math.max(1, all)));
    html.append("</caption><tr><th scope=\"col\">first key</th><th scope=\"col\">calls</th>");
    html.append("<th scope=\"col\">cells</th><th scope=\"col\">points</th>");
    html.append("<th scope=\"col\">bytes</th>");
    html.append("<th scope=\"col\">ms/call</th><th scope=\"col\">share</th><th></th></tr>\n");
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
    StringBuilder html = new StringBuilder("<h2>What the threads did</h2>\n");
    if (stackSamples.isEmpty()) {
      return html.append("<p>The load ended before the first stack sample.</p>\n").toString();
    }
    stackSamples.forEach(
        (kind, stages) -> {
          long all = stages.values().stream().mapToLong(Long::longValue).sum();
          html.append("<table><caption>Threads ").append(Html.escape(kind));
          html.append(
              String.format(
                  Locale.ROOT,
                  ": %,d stack samples; a thread that waits for a CPU counts as running",
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

  /** Durations of calls; NaN where no call has ended. */
  private double[] ofCalls(ToDoubleFunction<Sample> time) {
    return values(sample -> sample.callMsMax() > 0 ? time.applyAsDouble(sample) : Double.NaN);
  }

  /**
   * The growth of a count per second, between each sample and the one before. If the last sample
   * follows too soon, it takes the rate before it.
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
}
