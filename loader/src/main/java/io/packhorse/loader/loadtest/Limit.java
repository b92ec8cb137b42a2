package io.packhorse.loader.loadtest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a load test must keep to, such as {@code write.p99 < 250ms}.
 *
 * @param text as it was written
 * @param of {@code write}, or the name of a reader
 * @param figure {@code p50} to {@code max}, of the response or with {@code service-} before it of
 *     the service time; {@code errors}, {@code dropped}, {@code done}, shares of what was intended
 * @param least whether the figure must be so much or more, instead of less
 * @param bound milliseconds, or a share from 0 to 1
 */
public record Limit(String text, String of, String figure, boolean least, double bound) {
  static final String WRITE = "write";

  /** Figures in milliseconds. */
  private static final List<String> TIMES = List.of("p50", "p90", "p95", "p99", "p99.9", "max");

  /** Figures that are shares. */
  private static final List<String> SHARES = List.of("errors", "dropped", "done");

  private static final String SERVICE = "service-";
  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]+)\\.([a-z0-9.-]+) *(<=|<|>=|>) *([0-9.]+) *(%|[a-z]*)");

  /**
   * Reads a limit.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Limit of(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "limits: '" + text + "' is none: write for example write.p99 < 250ms, write.done >= 99%");
    }
    String figure = form.group(2);
    String time = figure.startsWith(SERVICE) ? figure.substring(SERVICE.length()) : figure;
    double number = Double.parseDouble(form.group(4));
    String unit = form.group(5);
    double bound;
    if (TIMES.contains(time)) {
      bound = number * millis(unit, text);
    } else if (SHARES.contains(figure) && (unit.equals("%") || unit.isEmpty())) {
      bound = unit.equals("%") ? number / 100 : number;
    } else {
      throw new IllegalArgumentException(
          "limits: '"
              + text
              + "' has no known figure: "
              + String.join(", ", TIMES)
              + " with ms or s, also after service-; "
              + String.join(", ", SHARES)
              + " with %");
    }
    return new Limit(text.strip(), form.group(1), figure, form.group(3).startsWith(">"), bound);
  }

  private static double millis(String unit, String text) {
    return switch (unit.toLowerCase(Locale.ROOT)) {
      case "ms" -> 1;
      case "s" -> Duration.ofSeconds(1).toMillis();
      default -> throw new IllegalArgumentException("limits: '" + text + "' needs ms or s");
    };
  }

  /** Whether it is kept; a figure that equals the bound keeps it. */
  boolean holds(double found) {
    return least ? found >= bound : found <= bound;
  }

  /** Whether it is of a time. */
  boolean isTime() {
    return !SHARES.contains(figure);
  }

  /** Whether it is of the time between sending and answer. */
  boolean isService() {
    return figure.startsWith(SERVICE);
  }

  /** The percentile of a time, 100 for the longest. */
  double percentile() {
    String time = isService() ? figure.substring(SERVICE.length()) : figure;
    return time.equals("max") ? 100 : Double.parseDouble(time.substring(1));
  }
}
