package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.JobVerification;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.verify.VerifyReport;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Prints what was read back. */
final class VerifyPrinter {
  private VerifyPrinter() {}

  static void print(VerifyReport report, double seconds, PrintWriter out) {
    out.printf(
        "verified  %s of %s equal in %s: %s%n",
        HumanNumbers.count(report.equalPoints()),
        HumanNumbers.count(report.expectedPoints(), "point", "points"),
        HumanNumbers.seconds(seconds),
        report.passed() ? "all there, nothing else" : "FAILED");
    if (!report.passed()) {
      out.printf(
          "          missing %s, wrong %s, unexpected %s%n",
          HumanNumbers.count(report.missingPoints()),
          HumanNumbers.count(report.wrongPoints()),
          HumanNumbers.count(report.extraPoints()));
      report.differences().forEach(difference -> out.println("          " + difference));
    }
  }

  static Map<String, Object> json(VerifyReport report, double seconds) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("passed", report.passed());
    json.put("expected", report.expectedPoints());
    json.put("equal", report.equalPoints());
    json.put("missing", report.missingPoints());
    json.put("wrong", report.wrongPoints());
    json.put("unexpected", report.extraPoints());
    json.put("rows", report.rows());
    json.put("columns", report.columns());
    json.put("seconds", seconds);
    json.put("differences", report.differences());
    return json;
  }

  /**
   * What a job that was loaded just now has in the store.
   *
   * @param report empty if its cells do not say whose they are
   * @param seconds it took
   */
  record Count(Optional<VerifyReport> report, double seconds) {
    /** How the command ends, if it would end otherwise so. */
    ExitCode or(ExitCode otherwise) {
      return report.map(VerifyReport::passed).orElse(true) ? otherwise : ExitCode.VERIFICATION;
    }

    void print(PrintWriter err) {
      report.ifPresent(counts -> VerifyPrinter.print(counts, seconds, err));
    }

    void putInto(Map<String, Object> json) {
      report.ifPresent(counts -> json.put("verified", VerifyPrinter.json(counts, seconds)));
    }
  }

  /** Counts the stored points of a job that was loaded just now. */
  static Count count(JobFolder.Entry job, StoreConnection from, Announcer announcer) {
    long started = System.nanoTime();
    Optional<VerifyReport> report = JobVerification.countsOf(job, from, announcer);
    return new Count(report, (System.nanoTime() - started) / 1e9);
  }
}
