package io.packhorse.loader.report;

import java.util.List;
import java.util.Locale;

/** Pieces of HTML. Text is escaped; nothing else is taken from outside. */
final class Html {
  private Html() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A table; the first column heads its rows. */
  static String table(String caption, List<String> heads, List<List<String>> rows) {
    StringBuilder html = new StringBuilder("<table><caption>" + escape(caption) + "</caption><tr>");
    heads.forEach(head -> html.append("<th scope=\"col\">").append(escape(head)).append("</th>"));
    html.append("</tr>\n");
    for (List<String> row : rows) {
      html.append("<tr><th scope=\"row\">").append(escape(row.get(0))).append("</th>");
      row.subList(1, row.size())
          .forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</table>\n").toString();
  }

  /** {@code 28.3 M}, {@code 9999}: three digits or more. */
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
    return String.format(Locale.ROOT, "%." + decimals + "f", value) + units[unit];
  }
}
