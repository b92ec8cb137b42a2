package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.report.LoadReport;
import io.packhorse.loader.report.Sample;
import io.packhorse.loader.sink.CallLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run of a job is reported with. */
final class RunReport {
  private RunReport() {}

  /**
   * The report of a run that has ended.
   *
   * @param counts of the whole job
   * @param rejected likewise
   */
  static LoadReport of(
      LoadJob job,
      String verdict,
      LoadWatch watch,
      LoadCounts counts,
      long rejected,
      CallLog calls) {
    Manifest manifest = job.job().manifest();
    List<Sample> samples = watch.samples().all();
    long loaded = watch.now().points() - samples.get(0).points();
    double seconds = Math.max(1e-3, watch.now().seconds());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "packhorse " + String.join(" ", manifest.arguments()));
    facts.put("software", manifest.software());
    facts.put("begun", manifest.created().replaceFirst("[.]\\d+Z$", "Z"));
    facts.put("store", manifest.store());
    facts.put(
        "how",
        manifest.cells()
            + " cells, "
            + manifest.sink()
            + ", "
            + Figures.threads(manifest.threads()));
    if (!manifest.inputs().isEmpty()) {
      facts.put(
          "input",
          (manifest.inputs().size() == 1
                  ? "1 file, "
                  : Figures.count(manifest.inputs().size()) + " files, ")
              + Figures.bytes(
                  (double) manifest.inputs().stream().mapToLong(JobInput::bytes).sum()));
    }
    facts.put(
        "this run",
        String.format(
            Locale.ROOT,
            "%s points in %s: %s points/s, %.1f CPU s",
            Figures.count(loaded),
            Figures.seconds(seconds),
            Figures.si(loaded / seconds),
            watch.now().cpuSeconds()));
    facts.put(
        "balance",
        String.format(
            Locale.ROOT,
            "read %s = packed %s + replaced %s + rejected %s%s; acknowledged %s",
            Figures.count(counts.read() + rejected),
            Figures.count(counts.packed()),
            Figures.count(counts.replaced()),
            Figures.count(rejected),
            counts.balanced() ? "" : " + still open",
            Figures.count(counts.acknowledged())));
    facts.put(
        "cells",
        Figures.count(counts.cells())
            + ", "
            + Figures.ratio(counts.bytesPerPoint())
            + " bytes/point with row key and column");
    if (calls.retries() > 0) {
      facts.put("retries", Figures.count(calls.retries()) + " rows were put again");
    }
    return new LoadReport(
        "Load " + manifest.id(),
        verdict,
        facts,
        samples,
        watch.stages().looks(),
        calls.times(),
        calls.regions());
  }
}
