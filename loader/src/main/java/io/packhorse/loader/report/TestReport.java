package io.packhorse.loader.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The report of a load test: verdict first, then tables and what happened over the time.
 *
 * @param verdict how it ended, a sentence
 * @param refreshSeconds after which a browser reads it again, while the test runs; 0 for never
 * @param figures that count most, by name
 */
public record TestReport(
    String title,
    String verdict,
    int refreshSeconds,
    Map<String, String> figures,
    List<Table> tables,
    List<Graph> graphs) {
  /**
   * A table; the first cell of a row is its head.
   *
   * @param rows each with as many cells as there are heads
   */
  public record Table(String caption, List<String> heads, List<List<String>> rows) {}

  /**
   * Values over the time.
   *
   * @param seconds times of the values, rising
   * @param lines 1 to 3, by name; a value for each time, NaN for none
   */
  public record Graph(
      String title, String unit, List<Double> seconds, Map<String, List<Double>> lines) {}

  /** The whole file. */
  public String html() {
    List<String> sections = new ArrayList<>();
    StringBuilder head = new StringBuilder();
    head.append("<h1>").append(Html.escape(title)).append("</h1>\n<p>");
    head.append(Html.escape(verdict)).append("</p>\n<dl>");
    figures.forEach(
        (name, value) ->
            head.append("<div><dt>")
                .append(Html.escape(name))
                .append("</dt><dd>")
                .append(Html.escape(value))
                .append("</dd></div>"));
    sections.add(head.append("</dl>\n").toString());
    for (Table table : tables) {
      sections.add(
          table.rows().isEmpty() ? "" : Html.table(table.caption(), table.heads(), table.rows()));
    }
    for (int i = 0; i < graphs.size(); i++) {
      sections.add(graphs.get(i).seconds().size() < 2 ? "" : chart("g" + i, graphs.get(i)));
    }
    return Page.html(
        title,
        "Report of a load test",
        refreshSeconds,
        sections,
        "Response times run from the moment a call was intended, service times from when it was"
            + " sent. Figures of one run, measured in the generator.");
  }

  private static String chart(String id, Graph graph) {
    List<Chart.Line> lines = new ArrayList<>();
    graph.lines().forEach((name, values) -> lines.add(new Chart.Line(name, array(values))));
    return new Chart(id, graph.title(), graph.unit(), array(graph.seconds()), lines).html();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
