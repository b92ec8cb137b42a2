package io.packhorse.loader.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Lines over the time of a load, as SVG within HTML: a sentence that says what is seen, the
 * picture, and its numbers as a table.
 *
 * @param id of the picture within the page
 * @param title what is shown
 * @param unit of the values
 * @param seconds rising; at least two
 * @param lines of as many values each, at most {@link #LINES_MAX}
 */
record Chart(String id, String title, String unit, double[] seconds, List<Line> lines) {
  /** As many line styles there are. */
  static final int LINES_MAX = 3;

  private static final int WIDTH = 860;
  private static final int HEIGHT = 240;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int BOTTOM = 28;
  private static final int TOP = 10;
  private static final int ROWS_MAX = 60;

  /** A line with its name. */
  record Line(String name, double[] values) {}

  String html() {
    StringBuilder html = new StringBuilder();
    html.append("<figure><figcaption>").append(Html.escape(sentence())).append("</figcaption>\n");
    html.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t\"><title id=\"%s-t\">%s"
                + "</title>\n",
            WIDTH,
            HEIGHT,
            id,
            id,
            Html.escape(sentence())));
    double top = niceCeiling(max());
    for (int i = 0; i <= 4; i++) {
      label(html, LEFT, y(top * i / 4, top), Html.number(top * i / 4));
    }
    double end = seconds[seconds.length - 1];
    for (int i = 0; i <= 4; i++) {
      html.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.0f\" y=\"%d\" class=\"x\">%s s</text>\n",
              x(end * i / 4),
              HEIGHT - 8,
              Html.number(end * i / 4)));
    }
    for (int i = 0; i < lines.size(); i++) {
      line(html, i, top);
    }
    html.append("</svg>\n<p>");
    for (int i = 0; lines.size() > 1 && i < lines.size(); i++) {
      html.append("<span class=\"key k").append(i).append("\">");
      html.append(Html.escape(lines.get(i).name())).append("</span> ");
    }
    html.append("</p>\n<details><summary>Numbers</summary>").append(numbers());
    return html.append("</details></figure>\n").toString();
  }

  private void line(StringBuilder html, int number, double top) {
    html.append("<polyline class=\"l").append(number).append("\" points=\"");
    for (int i = 0; i < seconds.length; i++) {
      html.append(tenth(x(seconds[i]))).append(',');
      html.append(tenth(y(lines.get(number).values()[i], top))).append(' ');
    }
    html.append("\"/>\n");
  }

  /** There are thousands of points, too many for a formatter. */
  private static double tenth(double value) {
    return Math.round(10 * value) / 10.0;
  }

  private static void label(StringBuilder html, int x, double y, String text) {
    html.append(
        String.format(
            Locale.ROOT,
            "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"y\">%s</text>\n",
            x,
            y,
            WIDTH - RIGHT,
            x - 8,
            y + 4,
            text));
  }

  /** What a reader would see: the middle and the most of each line. */
  private String sentence() {
    List<String> parts = new ArrayList<>();
    for (Line line : lines) {
      double[] sorted = line.values().clone();
      Arrays.sort(sorted);
      parts.add(
          String.format(
              Locale.ROOT,
              "%smedian %s, most %s %s",
              lines.size() == 1 ? "" : line.name() + ": ",
              Html.number(sorted[sorted.length / 2]),
              Html.number(sorted[sorted.length - 1]),
              unit));
    }
    return title + ": " + String.join("; ", parts);
  }

  private String numbers() {
    List<String> heads = new ArrayList<>(List.of("second"));
    lines.forEach(line -> heads.add(line.name() + ", " + unit));
    List<List<String>> rows = new ArrayList<>();
    int step = Math.max(1, (seconds.length + ROWS_MAX - 1) / ROWS_MAX);
    for (int i = step - 1; i < seconds.length; i += step) {
      List<String> row = new ArrayList<>(List.of(String.format(Locale.ROOT, "%.1f", seconds[i])));
      for (Line line : lines) {
        row.add(Html.number(line.values()[i]));
      }
      rows.add(row);
    }
    return Html.table(title, heads, rows);
  }

  private double max() {
    return lines.stream().flatMapToDouble(line -> Arrays.stream(line.values())).max().orElse(0);
  }

  /** The next of 1, 2, 5, 10 and so on. */
  static double niceCeiling(double value) {
    if (!(value > 0)) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 2, 5}) {
      if (value <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private double x(double at) {
    return LEFT + (WIDTH - RIGHT - LEFT) * at / seconds[seconds.length - 1];
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
  }
}
