package io.packhorse.loader.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A chart of values over the time of a load, as HTML: a caption that says what it shows, an SVG
 * picture, and the values as a table. Immutable.
 *
 * @param id of the picture, unique in the page
 * @param title what is shown
 * @param unit of the values
 * @param seconds times of the values, rising; 2 or more
 * @param lines 1 to {@link #LINES_MAX}, each with a value for each time; NaN for no value
 */
record Chart(String id, String title, String unit, double[] seconds, List<Line> lines) {
  /** Number of line styles. */
  static final int LINES_MAX = 3;

  private static final int WIDTH = 860;
  private static final int HEIGHT = 240;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int BOTTOM = 28;
  private static final int TOP = 10;
  private static final int ROWS_MAX = 60;
  private static final int STEPS_MAX = 5;
  private static final String NONE = "–";

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
    double step = niceStep(max());
    double top = step * Math.max(1, Math.ceil(max() / step));
    for (int i = 0; i * step <= top * 1.001; i++) {
      label(html, LEFT, y(i * step, top), Html.number(i * step));
    }
    times(html);
    for (int i = 0; i < lines.size(); i++) {
      line(html, i, top);
    }
    html.append("</svg>\n");
    if (lines.size() > 1) {
      html.append("<p>");
      for (int i = 0; i < lines.size(); i++) {
        html.append("<span class=\"key k").append(i).append("\">");
        html.append(Html.escape(lines.get(i).name())).append("</span> ");
      }
      html.append("</p>\n");
    }
    html.append("<details><summary>Values as a table</summary>").append(numbers());
    return html.append("</details></figure>\n").toString();
  }

  private void times(StringBuilder html) {
    double end = seconds[seconds.length - 1];
    int unit = end < 5 * 60 ? 1 : end < 5 * 3600 ? 60 : 3600;
    String name = unit == 1 ? "s" : unit == 60 ? "min" : "h";
    double step = niceStep(end / unit);
    for (int i = 0; i * step * unit <= end; i++) {
      html.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.0f\" y=\"%d\" class=\"x\">%s %s</text>\n",
              x(i * step * unit),
              HEIGHT - 8,
              Html.number(i * step),
              name));
    }
  }

  /** Draws a line, with a gap where a value is missing. */
  private void line(StringBuilder html, int number, double top) {
    double[] values = lines.get(number).values();
    int from = 0;
    while (from < values.length) {
      int to = from;
      while (to < values.length && !Double.isNaN(values[to])) {
        to++;
      }
      if (to > from) {
        html.append("<polyline class=\"l").append(number).append("\" points=\"");
        for (int i = from; i < to; i++) {
          point(html, seconds[i], values[i], top);
        }
        if (to == from + 1) {
          // A line from a point to itself is drawn as a dot.
          point(html, seconds[from], values[from], top);
        }
        html.append("\"/>\n");
      }
      from = to + 1;
    }
  }

  private void point(StringBuilder html, double at, double value, double top) {
    html.append(tenth(x(at))).append(',').append(tenth(y(value, top))).append(' ');
  }

  /** Rounds to tenths; String.format would be too slow for thousands of points. */
  private static double tenth(double value) {
    return Math.round(10 * value) / 10.0;
  }

  private static void label(StringBuilder html, int x, double y, String text) {
    html.append(
        String.format(
            Locale.ROOT,
            "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\""
                + " class=\"y\">%s</text>\n",
            x,
            y,
            WIDTH - RIGHT,
            x - 8,
            y + 4,
            text));
  }

  /** The caption: mean and maximum of one line, or the maximum of each of several. */
  private String sentence() {
    List<String> parts = new ArrayList<>();
    for (Line line : lines) {
      OptionalDouble highest = Arrays.stream(line.values()).filter(v -> !Double.isNaN(v)).max();
      String max = highest.isEmpty() ? NONE : Html.number(highest.getAsDouble());
      if (lines.size() > 1) {
        parts.add(line.name() + " up to " + max + " " + unit);
      } else {
        double mean = mean(line.values());
        parts.add(
            "mean "
                + (Double.isNaN(mean) ? NONE : Html.number(mean))
                + ", max "
                + max
                + " "
                + unit);
      }
    }
    return title + ": " + String.join("; ", parts);
  }

  /** The mean weighted by time: a value holds since the sample before it. NaN without values. */
  private double mean(double[] values) {
    double sum = 0;
    double time = 0;
    for (int i = 1; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        sum += values[i] * (seconds[i] - seconds[i - 1]);
        time += seconds[i] - seconds[i - 1];
      }
    }
    return sum / time;
  }

  private String numbers() {
    List<String> heads = new ArrayList<>(List.of("time, s"));
    lines.forEach(line -> heads.add(line.name() + ", " + unit));
    List<List<String>> rows = new ArrayList<>();
    int step = Math.max(1, (seconds.length + ROWS_MAX - 1) / ROWS_MAX);
    for (int i = step - 1; i < seconds.length; i += step) {
      List<String> row = new ArrayList<>(List.of(String.format(Locale.ROOT, "%.1f", seconds[i])));
      for (Line line : lines) {
        row.add(Double.isNaN(line.values()[i]) ? NONE : Html.number(line.values()[i]));
      }
      rows.add(row);
    }
    return Html.table(title, heads, rows);
  }

  private double max() {
    return lines.stream()
        .flatMapToDouble(line -> Arrays.stream(line.values()))
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(0);
  }

  /** The smallest of 1, 2 and 5 times a power of ten of which at most five steps reach a value. */
  static double niceStep(double value) {
    if (!(value > 0)) {
      return 1;
    }
    double min = value / STEPS_MAX;
    double power = Math.pow(10, Math.floor(Math.log10(min)));
    for (double step : new double[] {1, 2, 5}) {
      if (min <= step * power) {
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
