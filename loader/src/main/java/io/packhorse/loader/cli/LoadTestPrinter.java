package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.loadtest.DryRun;
import io.packhorse.loader.loadtest.LimitSearch;
import io.packhorse.loader.loadtest.LoadTestResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Prints how a load test has ended.
 *
 * @param other result of the target it was run against, if there was one
 * @param folder with the files
 */
record LoadTestPrinter(LoadTestResult result, Optional<LoadTestResult> other, Path folder) {
  /** Folder inside for the files of the other target. */
  static final String AGAINST = "against";

  Map<String, Object> json() {
    Map<String, Object> json = result.json();
    other.ifPresent(of -> json.put(AGAINST, of.json()));
    return json;
  }

  void print(PrintWriter out) {
    print(result, out);
    if (other.isPresent()) {
      out.println("against   the other target:");
      print(other.get(), out);
      compare(result.calls().get(0), other.get().calls().get(0), out);
    }
    out.println("files     " + folder);
  }

  private static void compare(
      LoadTestResult.Calls of, LoadTestResult.Calls against, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "compared  write p99 %.1f and %.1f ms: %.2f times the other's; done %s and %s points%n",
        of.responses().getValueAtPercentile(99) / 1000.0,
        against.responses().getValueAtPercentile(99) / 1000.0,
        (double) of.responses().getValueAtPercentile(99)
            / Math.max(1, against.responses().getValueAtPercentile(99)),
        HumanNumbers.count(of.done()),
        HumanNumbers.count(against.done()));
  }

  private static void print(LoadTestResult result, PrintWriter out) {
    out.println("verdict   " + verdict(result));
    for (LoadTestResult.Judged each : result.judged()) {
      out.println(
          (each.kept() ? "kept      " : "MISSED    ") + each.limit().text() + ": " + each.figure());
    }
    if (result.judged().isEmpty()) {
      out.println("limits    none in the file: nothing was judged but the answers");
    }
    for (LoadTestResult.Calls each : result.calls()) {
      print(each, result.seconds(), out);
    }
    if (result.workload().closed()) {
      out.println(
          "loop      closed: write times are all service times, and the rate is what this target"
              + " answered");
    }
    out.printf(
        "answers   %s right, %s wrong, %s not checked%n",
        HumanNumbers.count(result.right()),
        HumanNumbers.count(result.wrong()),
        HumanNumbers.count(result.unchecked()));
    result.examples().forEach(example -> out.println("          " + example));
  }

  /** What a machine can generate. */
  static void print(DryRun.Made made, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "generated %s points/s in %.1f s with %s, %s bytes/s; nothing was sent%n",
        HumanNumbers.si(made.points() / made.seconds()),
        made.seconds(),
        HumanNumbers.threads(made.threads()),
        HumanNumbers.si(made.bytes() / made.seconds()));
  }

  /** One step on the way to the limit. */
  static String step(LoadTestResult result) {
    return HumanNumbers.si(result.workload().pointsPerSecond())
        + " points/s "
        + (result.verdict() == LoadTestResult.Verdict.MISSED
            ? "missed " + String.join(", ", result.missed())
            : verdict(result));
  }

  /** Where the limit is. */
  static void print(LimitSearch.Found found, Path folder, PrintWriter out) {
    found.steps().forEach(step -> out.println("tried     " + step(step.result())));
    out.println("verdict   " + sentence(found));
    out.println("files     " + folder + ", a directory for each step");
  }

  private static String sentence(LimitSearch.Found found) {
    String kept =
        found
            .kept()
            .map(
                step ->
                    HumanNumbers.si(step.pointsPerSecond())
                        + " points/s kept all limits, "
                        + String.format(Locale.ROOT, "%.2f", step.factor())
                        + " times the file's")
            .orElse("no rate kept all limits");
    return switch (found.verdict()) {
      case WRONG_DATA -> "WRONG DATA in the last step; before it, " + kept;
      case INVALID ->
          "INVALID: the generator was too slow for the last step, the target's limit is above; "
              + kept;
      case MISSED -> "MISSED: " + kept;
      case PASSED ->
          kept
              + found
                  .missed()
                  .map(step -> "; " + HumanNumbers.si(step.pointsPerSecond()) + " did not")
                  .orElse("");
    };
  }

  private static String verdict(LoadTestResult result) {
    return switch (result.verdict()) {
      case PASSED -> "PASSED";
      case MISSED -> "MISSED a limit";
      case WRONG_DATA -> "WRONG DATA: answers differ from what was written";
      case INVALID -> "INVALID: " + result.invalid();
    };
  }

  private static void print(LoadTestResult.Calls of, double seconds, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-9s %s of %s done (%s/s), %s dropped%n",
        of.name(),
        HumanNumbers.count(of.done()),
        HumanNumbers.count(of.intended()),
        HumanNumbers.si(of.done() / seconds),
        HumanNumbers.count(of.dropped()));
    of.errors()
        .forEach(
            (kind, count) ->
                out.println("          " + HumanNumbers.count(count) + " failed: " + kind));
    out.println("          response " + times(of.responses()) + ", from the intended moment on");
    out.println("          service  " + times(of.services()) + ", from sending on");
  }

  private static String times(Histogram of) {
    return String.format(
        Locale.ROOT,
        "p50 %.1f, p99 %.1f, p99.9 %.1f, max %.1f ms",
        of.getValueAtPercentile(50) / 1000.0,
        of.getValueAtPercentile(99) / 1000.0,
        of.getValueAtPercentile(99.9) / 1000.0,
        of.getMaxValue() / 1000.0);
  }
}
