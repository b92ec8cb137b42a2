package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.report.LoadReport;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The report of a load, and where it is kept.
 *
 * @param manifest what was asked for
 * @param isJob whether the load is a job, which can be verified by its name
 */
public record ReportFile(Path path, Manifest manifest, boolean isJob) {
  private static final String NAME = "report.html";

  static ReportFile of(Job job) {
    return of(job.folder(), job.manifest());
  }

  static ReportFile of(Path folder, Manifest manifest) {
    return new ReportFile(folder.resolve(NAME), manifest, true);
  }

  /** The report of a demo, in the directory of its store; a demo is not recorded as a job. */
  public static ReportFile ofDemo(
      Path store, StoreConnection to, LoadSettings settings, String command) {
    return new ReportFile(
        store.resolve(NAME),
        new Manifest(
            Manifest.VERSION,
            "of the demo",
            1,
            1,
            Instant.now().toString(),
            BuildVersion.text(),
            List.of(command),
            to.fingerprint(),
            settings,
            List.of(),
            true),
        false);
  }

  /** What it says before anything is read back. */
  String notVerified() {
    return isJob
        ? "Not read back yet. To compare it with its input: packhorse verify --job " + manifest.id()
        : "Not read back yet.";
  }

  void write(LoadReport report) throws IOException {
    Files.writeString(path, report.html());
  }

  /**
   * Says in the report how the points were read back; does nothing if there is no report.
   *
   * @param what was compared, as in {@code every point}
   */
  public void addVerification(VerifyReport found, String what) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    String when = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Path changed = path.resolveSibling(NAME + ".new");
    Files.writeString(
        changed,
        LoadReport.withVerification(
            Files.readString(path),
            (found.passed() ? "Verified at " : "VERIFICATION FAILED at ")
                + when
                + ", "
                + what
                + ": "
                + sentence(found)));
    Files.move(changed, path, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String sentence(VerifyReport found) {
    String equal =
        HumanNumbers.count(found.equalPoints())
            + " of "
            + HumanNumbers.count(found.expectedPoints(), "point", "points")
            + " in the store";
    return found.passed()
        ? equal + ", and nothing else."
        : equal
            + "; "
            + HumanNumbers.count(found.missingPoints())
            + " missing, "
            + HumanNumbers.count(found.wrongPoints())
            + " wrong, "
            + HumanNumbers.count(found.extraPoints())
            + " unexpected.";
  }
}
