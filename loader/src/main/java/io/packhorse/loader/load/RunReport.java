package io.packhorse.loader.load;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.report.LoadReport;
import io.packhorse.loader.report.Sample;
import io.packhorse.loader.sink.CallLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Collects what the report of a run shows. */
final class RunReport {
  private RunReport() {}

  /**
   * The report of a run that has ended.
   *
   * @param counts of the whole job
   * @param rejected lines of the whole job
   */
  static LoadReport of(
      Manifest manifest,
      String verdict,
      LoadWatch watch,
      LoadCounts counts,
      long rejected,
      CallLog calls) {
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
          (manifest.inputs().size() == 1
                  ? "1 file, "
                  : HumanNumbers.count(manifest.inputs().size()) + " files, ")
              + HumanNumbers.bytes(
                  (double) manifest.inputs().stream().mapToLong(JobInput::bytes).sum()));
    }
    facts.put(
        "this run",
        String.format(
            Locale.ROOT,
            "%s points in %s: %s points/s, %.1f CPU s",
            HumanNumbers.count(loaded),
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
    facts.put(
        "cells",
        HumanNumbers.count(counts.cells())
            + ", "
            + HumanNumbers.ratio(counts.bytesPerPoint())
            + " bytes/point with row key and column");
    if (calls.retries() > 0) {
      facts.put("retries", HumanNumbers.count(calls.retries()) + " rows were put again");
    }
    return new LoadReport(
        "Load " + manifest.id(),
        verdict,
        facts,
        samples,
        watch.stages().samples(),
        calls.times(),
        calls.regions());
  }
}
