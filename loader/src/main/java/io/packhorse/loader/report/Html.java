package io.packhorse.loader.report;

import java.util.List;
import java.util.Locale;

/** Builds parts of HTML; escapes all text. */
final class Html {
  private Html() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A table of names and values, without a head. */
  static String table(String style, List<List<String>> rows) {
    return "<table class=\"" + style + "\">" + body(rows) + "</table>\n";
  }

  /** A table; the first cell of a row is its head. */
  static String table(String caption, List<String> heads, List<List<String>> rows) {
    StringBuilder html = new StringBuilder("<table><caption>" + escape(caption) + "</caption><tr>");
    heads.forEach(head -> html.append("<th scope=\"col\">").append(escape(head)).append("</th>"));
    return html.append("</tr>\n").append(body(rows)).append("</table>\n").toString();
  }

  private static String body(List<List<String>> rows) {
    StringBuilder html = new StringBuilder();
    for (List<String> row : rows) {
      html.append("<tr><th scope=\"row\">").append(escape(row.get(0))).append("</th>");
      row.subList(1, row.size())
          .forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.toString();
  }

  /** A number of at least three digits: {@code 28.3 M}, {@code 9,999}, {@code 0.25}. */
  static String number(double value) {
    double size = Math.abs(value);
    String[] units = {"", " k", " M", " G", " T"};
    int unit = 0;
    while (size >= (unit == 0 ? 10_000 : 1000) && unit < units.length - 1) {
      size /= 1000;
      value /= 1000;
      unit++;
    }
    int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value) + units[unit];
  }
}
