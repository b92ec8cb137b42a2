package io.packhorse.loader.cli;

import io.packhorse.loader.load.Export;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.read.BrokenColumn;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints what was exported. */
final class ExportPrinter {
  private ExportPrinter() {}

  static void print(Export.Result result, double seconds, Optional<Path> broken, PrintWriter out) {
    out.printf(
        "exported  %s of %s in %s: %s points/s, %s%n",
        HumanNumbers.count(result.points(), "point", "points"),
        HumanNumbers.count(result.rows(), "series-hour", "series-hours"),
        HumanNumbers.seconds(seconds),
        HumanNumbers.si((double) result.points() / seconds),
        HumanNumbers.bytes((double) result.bytes()));
    if (result.points() == 0 && result.broken() == 0) {
      out.println("          nothing stored has these metrics, tags and times");
    }
    if (result.replaced() > 0) {
      out.printf(
          "replaced  %s of these hours: another column has a newer value of the same time%n",
          HumanNumbers.count(result.replaced(), "stored point", "stored points"));
    }
    if (result.rounded() > 0) {
      out.printf(
          "ROUNDED   %s beyond 2^53, which no double equals: other formats hold them%n",
          HumanNumbers.count(result.rounded(), "integer", "integers"));
    }
    List<String> left = new ArrayList<>();
    add(left, result.annotations(), "annotation", "annotations");
    add(left, result.histograms(), "histogram", "histograms");
    add(left, result.unknown(), "column of an unknown kind", "columns of an unknown kind");
    if (!left.isEmpty()) {
      out.println("left out  " + String.join(", ", left));
    }
    if (result.broken() > 0) {
      out.printf(
          "BROKEN    %s cannot be read and was left out%s%n",
          HumanNumbers.count(result.broken(), "column", "columns"),
          broken.map(file -> ", see " + file).orElse("; --broken FILE lists all:"));
      result.examples().forEach(column -> out.println("          " + column));
    }
  }

  private static void add(List<String> left, long count, String one, String many) {
    if (count > 0) {
      left.add(HumanNumbers.count(count, one, many));
    }
  }

  static Map<String, Object> json(Export.Result result, double seconds) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("points", result.points());
    json.put("rows", result.rows());
    json.put("replaced", result.replaced());
    json.put("annotations", result.annotations());
    json.put("histograms", result.histograms());
    json.put("unknown_columns", result.unknown());
    json.put("broken", result.broken());
    json.put("broken_examples", result.examples().stream().map(ExportPrinter::json).toList());
    json.put("rounded", result.rounded());
    json.put("bytes", result.bytes());
    json.put("seconds", seconds);
    return json;
  }

  private static Map<String, Object> json(BrokenColumn column) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("row", column.rowKey());
    json.put("column", column.column());
    json.put("reason", column.reason());
    return json;
  }
}
