package io.packhorse.loader.load;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.report.LoadReport;
import io.packhorse.loader.report.Sample;
import io.packhorse.loader.sink.CallLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Collects what the report of a run shows. */
final class RunReport {
  private static final int SERIES_SHOWN = 5;

  private RunReport() {}

  /**
   * How a load has ended that has stored everything.
   *
   * @param counts of the whole job
   * @param rejected lines of the whole job
   * @param staged whether its HFiles are still to be bulk-loaded
   */
  static String verdict(LoadCounts counts, long rejected, boolean staged) {
    String done =
        HumanNumbers.count(counts.packed(), "point is", "points are")
            + " "
            + (staged ? "staged" : "in the store");
    List<String> but = new ArrayList<>();
    if (rejected > 0) {
      but.add(
          HumanNumbers.count(rejected, "line or field was", "lines or fields were") + " rejected");
    }
    if (counts.replaced() > 0) {
      but.add(
          HumanNumbers.count(counts.replaced(), "point was", "points were")
              + " replaced by others of this load");
    }
    return but.isEmpty()
        ? "Complete: " + done + "."
        : "Loaded, but not clean: " + done + ", but " + String.join(", and ", but) + ".";
  }

  /**
   * The report of a run that has ended.
   *
   * @param file where it goes
   * @param counts of the whole job
   * @param replaced what is known of its replaced points
   * @param feed of the run, which has ended
   */
  static LoadReport of(
      ReportFile file,
      String verdict,
      LoadWatch watch,
      LoadCounts counts,
      Replaced replaced,
      PointFeed feed,
      CallLog calls)
      throws IOException {
    Manifest manifest = file.manifest();
    long rejected = feed.rejected();
    List<Sample> samples = watch.samples().all();
    long loaded = watch.now().points() - samples.get(0).points();
    double seconds = Math.max(1e-3, watch.now().seconds());
    LoadSettings settings = manifest.settings();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "packhorse " + String.join(" ", manifest.command()));
    facts.put("software", manifest.software());
    facts.put("started", manifest.created().replaceFirst("[.]\\d+Z$", "Z"));
    facts.put("store", manifest.store());
    facts.put(
        "stored as",
        settings.cells()
            + " cells, "
            + settings.output()
            + ", "
            + HumanNumbers.threads(settings.threads()));
    if (!manifest.inputs().isEmpty()) {
      facts.put(
          "input",
          HumanNumbers.count(manifest.inputs().size(), "file", "files")
              + ", "
              + HumanNumbers.bytes(
                  (double) manifest.inputs().stream().mapToLong(JobInput::bytes).sum()));
    }
    facts.put(
        "this run",
        String.format(
            Locale.ROOT,
            "%s in %s: %s points/s, %.1f CPU s",
            HumanNumbers.count(loaded, "point", "points"),
            HumanNumbers.seconds(seconds),
            HumanNumbers.si(loaded / seconds),
            watch.now().cpuSeconds()));
    facts.put(
        "balance",
        String.format(
            Locale.ROOT,
            "read %s = packed %s + replaced %s + rejected %s%s; acknowledged %s",
            HumanNumbers.count(counts.read() + rejected),
            HumanNumbers.count(counts.packed()),
            HumanNumbers.count(counts.replaced()),
            HumanNumbers.count(rejected),
            counts.balanced() ? "" : " + still open",
            HumanNumbers.count(counts.acknowledged())));
    replaced.example().ifPresent(at -> facts.put("replaced", "two points meet in " + at));
    if (feed.names().size() > 0) {
      facts.put(
          "series",
          HumanNumbers.count(feed.names().size())
              + ": "
              + IntStream.range(0, Math.min(SERIES_SHOWN, feed.names().size()))
                  .mapToObj(series -> feed.names().get(series).toString())
                  .collect(Collectors.joining(", "))
              + (feed.names().size() > SERIES_SHOWN ? ", ..." : ""));
    }
    PointTimes.of(feed.times()).ifPresent(times -> facts.put("times", times.toString()));
    facts.put(
        "cells",
        HumanNumbers.count(counts.cells())
            + ", "
            + HumanNumbers.ratio(counts.bytesPerPoint())
            + " bytes/point with row key and column");
    if (calls.retries() > 0) {
      facts.put(
          "retries", HumanNumbers.count(calls.retries(), "row was", "rows were") + " put again");
    }
    return new LoadReport(
        "Load " + manifest.id(),
        verdict,
        file.notVerified(),
        facts,
        feed.findings().rows(),
        feed.flushRejects(),
        samples,
        watch.stages().samples(),
        calls.times(),
        calls.regions());
  }
}
