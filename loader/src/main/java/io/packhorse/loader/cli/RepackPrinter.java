package io.packhorse.loader.cli;

import static io.packhorse.loader.repack.RepackCount.ANNOTATIONS;
import static io.packhorse.loader.repack.RepackCount.AS_BEFORE;
import static io.packhorse.loader.repack.RepackCount.CELLS;
import static io.packhorse.loader.repack.RepackCount.CELL_BYTES;
import static io.packhorse.loader.repack.RepackCount.CHANGED;
import static io.packhorse.loader.repack.RepackCount.COLUMNS;
import static io.packhorse.loader.repack.RepackCount.COLUMN_BYTES;
import static io.packhorse.loader.repack.RepackCount.DELETED;
import static io.packhorse.loader.repack.RepackCount.HISTOGRAMS;
import static io.packhorse.loader.repack.RepackCount.LEFT;
import static io.packhorse.loader.repack.RepackCount.NEWER;
import static io.packhorse.loader.repack.RepackCount.POINTS;
import static io.packhorse.loader.repack.RepackCount.REPLACED;
import static io.packhorse.loader.repack.RepackCount.ROWS;
import static io.packhorse.loader.repack.RepackCount.UNKNOWN;
import static io.packhorse.loader.repack.RepackCount.VERIFIED;

import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.HourSample;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.Repack;
import io.packhorse.loader.repack.RepackCount;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;

/**
 * Prints how a repack has ended.
 *
 * @param seconds that this run took
 * @param store the options that name the store, each after a space
 */
record RepackPrinter(Repack.Result result, double seconds, String store, CommandLine to) {
  /** How a repack ends. */
  static ExitCode exitCode(Repack.Result result) {
    return result.counts().get(LEFT) == 0 ? ExitCode.OK : ExitCode.REJECTS;
  }

  private double pointsRead() {
    return of(POINTS)
        * result.sample().map(all -> (double) all.counts().size() / all.hours()).orElse(1.0);
  }

  private long of(RepackCount count) {
    return result.counts().get(count);
  }

  Map<String, Object> json() {
    Map<String, Object> json = result.json();
    json.put("left_examples", result.left());
    json.put("seconds", seconds);
    return json;
  }

  void print() {
    PrintWriter out = to.getOut();
    boolean dry = result.jobId().isEmpty();
    out.printf(
        "%-9s %s%s of %s in %s: %s points/s%n",
        dry ? "would be" : "packed",
        result.sample().isPresent() ? "about " : "",
        HumanNumbers.count(of(POINTS), "point", "points"),
        HumanNumbers.count(of(ROWS), "series-hour", "series-hours"),
        HumanNumbers.seconds(seconds),
        HumanNumbers.si(pointsRead() / seconds));
    result.sample().ifPresent(sample -> sampled(sample, out));
    sizes(out);
    if (of(AS_BEFORE) > 0) {
      out.println(
          "as before "
              + HumanNumbers.count(of(AS_BEFORE), "series-hour is", "series-hours are")
              + " one packed cell already");
    }
    if (of(REPLACED) > 0) {
      out.println(
          "replaced  "
              + HumanNumbers.count(of(REPLACED), "point", "points")
              + " that had an older value of the same time, which no query answered");
    }
    if (of(NEWER) > 0) {
      out.println(
          "newer     "
              + HumanNumbers.count(of(NEWER), "column", "columns")
              + " written just now or meanwhile: kept beside the new cells");
    }
    others(out);
    if (of(CHANGED) > 0) {
      out.println(
          "changed   "
              + HumanNumbers.count(of(CHANGED), "series-hour", "series-hours")
              + " had changed when they were verified, and were packed again");
    }
    if (of(LEFT) > 0) {
      out.println(
          "LEFT      "
              + HumanNumbers.count(
                  of(LEFT), "series-hour stays as it is", "series-hours stay as they are")
              + result.leftFile().map(file -> ", see " + file + ":").orElse(":"));
      result.left().forEach(line -> out.println("          " + line.replace("\t", "  ")));
    }
    if (!dry) {
      next(out);
    }
  }

  private void sampled(HourSample sample, PrintWriter out) {
    out.printf(
        "sampled   %s of %s hours, chosen by chance; all would take about %s%n",
        HumanNumbers.count(sample.counts().size()),
        HumanNumbers.count(sample.hours()),
        HumanNumbers.seconds(seconds * sample.hours() / sample.counts().size()));
    out.printf(
        "          95 of 100 samples are as close: points within %s, bytes before within %s, after"
            + " within %s%n",
        within(sample, POINTS), within(sample, COLUMN_BYTES), within(sample, CELL_BYTES));
  }

  private String within(HourSample sample, RepackCount count) {
    return of(count) == 0
        ? "?"
        : String.format(Locale.ROOT, "%.1f %%", 100 * sample.bound(count) / of(count));
  }

  private void sizes(PrintWriter out) {
    if (of(POINTS) == 0) {
      out.println("          nothing stored in these hours becomes smaller");
      return;
    }
    out.printf(
        "before    %s, %s%n",
        HumanNumbers.count(of(COLUMNS), "column", "columns"),
        HumanNumbers.bytes((double) of(COLUMN_BYTES)));
    out.printf(
        "after     %s, %s: %s%n",
        HumanNumbers.count(of(CELLS), "cell", "cells"),
        HumanNumbers.bytes((double) of(CELL_BYTES)),
        smaller());
  }

  private String smaller() {
    double times = (double) of(COLUMN_BYTES) / of(CELL_BYTES);
    return times < 1
        ? "larger, of " + HumanNumbers.ratio(1 / times) + " times the bytes"
        : HumanNumbers.ratio(times) + " times smaller, as keys and values count";
  }

  private void others(PrintWriter out) {
    List<String> stay = new ArrayList<>();
    add(stay, of(ANNOTATIONS), "annotation", "annotations");
    add(stay, of(HISTOGRAMS), "histogram", "histograms");
    add(stay, of(UNKNOWN), "column of an unknown kind", "columns of an unknown kind");
    if (!stay.isEmpty()) {
      out.println("untouched " + String.join(", ", stay));
    }
  }

  private static void add(List<String> stay, long count, String one, String many) {
    if (count > 0) {
      stay.add(HumanNumbers.count(count, one, many));
    }
  }

  private void next(PrintWriter out) {
    String id = result.jobId().orElse("");
    out.println(
        "verified  "
            + HumanNumbers.count(of(VERIFIED), "series-hour", "series-hours")
            + ": each new cell was read back and has what the old columns have");
    if (result.state() == JobState.REPACKED) {
      out.println(
          "deleted   "
              + HumanNumbers.count(of(DELETED), "old column", "old columns")
              + "; HBase frees their space at the next major compaction");
    } else if (of(COLUMNS) > 0) {
      out.println("kept      the old columns; queries answer the same with them and without");
      out.println("          delete them: packhorse job resume " + id + store);
      out.println("          or undo:     packhorse job rollback " + id + store);
    }
  }
}
