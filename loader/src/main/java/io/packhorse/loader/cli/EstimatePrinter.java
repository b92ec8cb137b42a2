package io.packhorse.loader.cli;

import io.packhorse.loader.load.Estimate;
import io.packhorse.loader.load.HumanNumbers;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Prints what the points of a file take. */
final class EstimatePrinter {
  /** Characters after which a list of encodings is cut. */
  private static final int ENCODINGS_WIDTH = 160;

  private EstimatePrinter() {}

  static void print(Estimate.Result estimate, PrintWriter out) {
    out.println(estimate.file());
    out.printf(
        "  points     %s in %s of %s series%s%n",
        HumanNumbers.count(estimate.points()),
        HumanNumbers.count(estimate.hours(), "hour", "hours"),
        HumanNumbers.count(estimate.series()),
        estimate.replaced() == 0
            ? ""
            : "; "
                + HumanNumbers.count(estimate.replaced())
                + " more replaced by later ones of the same time"
                + estimate.howReplaced().example().map(at -> ", such as " + at).orElse(""));
    double smaller = estimate.timesSmaller();
    out.printf(
        Locale.ROOT,
        "  packed     %s bytes/point, %.1f times %s than OpenTSDB's%n",
        HumanNumbers.ratio(estimate.packedBytesPerPoint()),
        Math.max(smaller, 1 / smaller),
        smaller < 1 ? "larger" : "smaller");
    print("times", estimate.times(), out);
    print("values", estimate.values(), out);
    out.printf(
        "  opentsdb   %s bytes/point, compacted%n",
        HumanNumbers.ratio(estimate.compactedBytesPerPoint()));
    out.println("  checked    every bit of every point came back");
  }

  /** Shows the first rejects of a file, for standard error. */
  static void warn(Estimate.Result estimate, PrintWriter err) {
    if (estimate.rejected() == 0) {
      return;
    }
    err.printf(
        "REJECTED  %s of %s%n",
        HumanNumbers.count(estimate.rejected(), "line or field", "lines or fields"),
        estimate.file());
    estimate.firstRejects().forEach(reject -> err.println("  " + reject));
    if (estimate.rejected() > estimate.firstRejects().size()) {
      err.println("  ...");
    }
  }

  private static void print(String what, Map<String, Long> encodings, PrintWriter out) {
    StringJoiner text = new StringJoiner("; ");
    int more = 0;
    for (Map.Entry<String, Long> encoding : encodings.entrySet()) {
      if (text.length() < ENCODINGS_WIDTH) {
        text.add(
            encoding.getKey()
                + " ("
                + HumanNumbers.count(encoding.getValue(), "hour", "hours")
                + ")");
      } else {
        more++;
      }
    }
    out.printf(
        "    %-7s  %s%s%n", what, text, more == 0 ? "" : "; and " + more + " more encodings");
  }
}
