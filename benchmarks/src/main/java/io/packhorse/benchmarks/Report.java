package io.packhorse.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The figures of one run: a table for people, JSON for programs. */
public final class Report {
  private final Map<String, Object> settings;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param settings commit, JDK, cores, options
   */
  public Report(Map<String, Object> settings) {
    this.settings = new LinkedHashMap<>(settings);
  }

  /** Adds a figure; see {@link Row}. */
  public void add(String caseName, String system, String metric, double value, String unit) {
    rows.add(new Row(caseName, system, metric, value, unit));
  }

  /** Adds a sentence on how the figures came about. */
  public void note(String sentence) {
    notes.add(sentence);
  }

  /** A line a case and system, a column a metric. */
  void print(PrintStream out) {
    settings.forEach((key, value) -> out.printf("%-10s %s%n", key, value));
    Set<String> metrics = new LinkedHashSet<>();
    Map<String, Map<String, Double>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      metrics.add(row.metric());
      lines
          .computeIfAbsent(
              String.format("%-26s %-18s", row.caseName(), row.system()),
              key -> new LinkedHashMap<>())
          .put(row.metric(), row.value());
    }
    StringBuilder head = new StringBuilder(String.format("%n%-26s %-18s", "case", "system"));
    metrics.forEach(metric -> head.append(String.format(" %17s", metric)));
    out.println(head);
    lines.forEach(
        (line, values) -> {
          StringBuilder text = new StringBuilder(line);
          for (String metric : metrics) {
            Double value = values.get(metric);
            text.append(String.format(" %17s", value == null ? "" : figure(value)));
          }
          out.println(text);
        });
    notes.forEach(note -> out.println("note: " + note));
  }

  private static String figure(double value) {
    return value >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3f", value);
  }

  /** Whether nothing was measured. */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Writes settings, notes and rows as one JSON object. */
  void write(Path file) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("settings", settings);
    json.put("notes", notes);
    json.put("rows", rows);
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), json);
  }
}
