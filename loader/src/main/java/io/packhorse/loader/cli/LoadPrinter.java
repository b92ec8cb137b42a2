package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadOutcome;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.Replaced;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Prints how a load has ended. */
final class LoadPrinter {
  private LoadPrinter() {}

  /** The result, for standard output. */
  static void print(LoadResult result, PrintWriter out) {
    print(result.stage().isEmpty() ? "loaded" : "staged", result.outcome(), out);
    if (result.leftOut() > 0) {
      out.println(
          "left out  "
              + HumanNumbers.count(result.leftOut(), "point", "points")
              + " not asked for, or without a value");
    }
  }

  /** The numbers of a load that has stored everything. */
  static void print(LoadOutcome outcome, PrintWriter out) {
    print("loaded", outcome, out);
  }

  private static void print(String done, LoadOutcome outcome, PrintWriter out) {
    LoadCounts counts = outcome.counts();
    out.printf(
        "%-9s %s in %s: %s points/s%s%n",
        done,
        HumanNumbers.count(outcome.pointsOfRun(), "point", "points"),
        HumanNumbers.seconds(outcome.seconds()),
        HumanNumbers.si(outcome.pointsPerSecond()),
        outcome.cpuSeconds() > 0
            ? String.format(Locale.ROOT, ", %.1f CPU s", outcome.cpuSeconds())
            : "");
    out.printf(
        "balance   read %s = packed %s + replaced %s + rejected %s; acknowledged %s%s%n",
        HumanNumbers.count(counts.read() + outcome.rejected()),
        HumanNumbers.count(counts.packed()),
        HumanNumbers.count(counts.replaced()),
        HumanNumbers.count(outcome.rejected()),
        HumanNumbers.count(counts.acknowledged()),
        outcome.replaced().exact()
            ? ""
            : "; of hours that came in parts, points that meet are counted twice");
    outcome.times().ifPresent(times -> out.println("times     " + times));
    out.printf(
        "cells     %s, %s bytes/point with row key and column, %s in the value alone%n",
        HumanNumbers.count(counts.cells()),
        HumanNumbers.ratio(counts.bytesPerPoint()),
        HumanNumbers.ratio(counts.valueBytesPerPoint()));
  }

  /** What a user still has to know or do, for standard error. */
  static void warn(LoadResult result, PrintWriter err) {
    result
        .stage()
        .ifPresent(
            folder ->
                err.println(
                    "staged    nothing is in the store yet; bulk-load it with: packhorse hfile"
                        + " complete "
                        + folder));
    long rejected = result.outcome().rejected();
    if (rejected > 0 && result.rejectsFile().isPresent()) {
      err.printf(
          "REJECTED  %s not in the store; %s has each with its place and reason%n",
          HumanNumbers.count(rejected, "line or field is", "lines or fields are"),
          result.rejectsFile().get());
    }
    printRejects(rejected, result.rejectsByReason(), result.firstRejects(), err);
    if (result.asksAboutReplaced()) {
      LoadCounts counts = result.outcome().counts();
      printReplaced(
          HumanNumbers.count(counts.replaced()) + " of " + HumanNumbers.count(counts.read()),
          "replaced others of this load",
          result.outcome().replaced().example(),
          err);
    }
  }

  /**
   * Asks why points share series and time.
   *
   * @param points how many of how many
   * @param what happens to them
   */
  static void printReplaced(
      String points, String what, Optional<Replaced.Example> example, PrintWriter err) {
    err.printf("REPLACED  %s points %s: same series, same time%n", points, what);
    example.ifPresent(at -> err.printf("          two meet in %s%n", at));
    err.println(
        "          Is a column missing that tells series apart (--tag, --add-tag 'file={file}')? Do"
            + " files overlap? Is the unit or format of the times right? If it is meant so, allow"
            + " it with --max-replaced 100%");
  }

  /**
   * Prints why lines were rejected, and the first few.
   *
   * @param rejected number of all
   */
  static void printRejects(
      long rejected, Map<String, Long> byReason, List<String> first, PrintWriter err) {
    byReason.forEach(
        (reason, lines) -> err.printf("%10s  %s%n", HumanNumbers.count(lines), reason));
    if (Stream.of(Reason.AMBIGUOUS_LOCAL_TIME, Reason.NONEXISTENT_LOCAL_TIME)
        .anyMatch(reason -> byReason.containsKey(reason.toString()))) {
      err.println(
          "            --dst says what such times mean; where clocks are not changed in summer,"
              + " name the offset: --time-zone=-08:00");
    }
    if (byReason.containsKey(Reason.VALUE_TEXT.toString())) {
      err.println(
          "            --booleans-as-numbers stores true as 1 and false as 0; --skip-text-fields leaves"
              + " text out");
    }
    first.forEach(reject -> err.println("  " + reject));
    if (rejected > first.size()) {
      err.println("  ...");
    }
  }
}
