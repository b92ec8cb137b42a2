package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.source.WalkSpec;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.verify.VerifyReport;
import io.packhorse.loader.verify.WalkVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verify}: reads a reference workload back from HBase. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read a load back from HBase and compare it with its input.",
      "Either a job with all its shards, whose cells alone are looked at; or generated points, whoever stored them: give"
          + " the same options as to loadtest run. Exit code 6 if a single point differs.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse verify --job 20240131-101500-3fa2",
      "      every point of a job, against its files or its seed",
      "  packhorse verify --job 20240131-101500-3fa2 --level counts",
      "      as many points as its ledger says; needs no input",
      "  packhorse loadtest run --span 1d --seed 7 && packhorse verify --span 1d --seed 7",
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "Id of a job that is loaded, as job list shows it.")
  private @Nullable String job;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "full",
      description =
          "With --job: counts, the number of points stored; sample, the points of one row in 16;"
              + " full, every point (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private JobVerification.Level level;

  @Mixin private final WalkOptions walk = new WalkOptions();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    PrintWriter out = command.commandLine().getOut();
    Map<String, Object> settings = new LinkedHashMap<>();
    VerifyReport report;
    long started = System.nanoTime();
    if (job != null) {
      settings.put("job", job);
      settings.put("level", level.name().toLowerCase(Locale.ROOT));
      report = verify(target.jobs().shards(job, Optional.empty()), err);
    } else {
      WalkSpec spec = walk.spec();
      settings.putAll(walk.json(spec));
      try (Target from = target.open(err)) {
        report = verify(from, spec, err);
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    json.print(
        out, "verify", settings, resultOf(report, seconds), () -> print(report, seconds, out));
    return (report.passed() ? ExitCode.OK : ExitCode.VERIFICATION).code();
  }

  /** Each shard is compared with its own cells. */
  private VerifyReport verify(List<JobFolder.Entry> shards, PrintWriter err)
      throws StoreException, IOException, InterruptedException {
    int wanted = shards.get(0).manifest().part().count();
    if (shards.size() < wanted) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          "Job "
              + job
              + " cannot be verified: "
              + shards.size()
              + " of "
              + wanted
              + " shards have begun.");
    }
    try (Target from = target.open(err)) {
      List<JobVerification> verifications =
          shards.stream().map(shard -> new JobVerification(shard, from, err)).toList();
      VerifyReport all = VerifyReport.NOTHING;
      for (JobVerification verification : verifications) {
        all =
            all.plus(
                level == JobVerification.Level.COUNTS
                    ? verification.counts()
                    : verification.points(
                        level, Resumable.of(verification.job().manifest(), command)));
      }
      return all;
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Cannot read the store: " + LoadRun.cause(e) + ".", e);
    }
  }

  /** Reads everything back, with progress on {@code err}. */
  static VerifyReport verify(Target from, WalkSpec spec, PrintWriter err)
      throws IOException, InterruptedException {
    WalkVerifier verifier =
        new WalkVerifier(spec, from.layout().rowKeys(), from.rows(), from.knownUids());
    ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try (Progress progress =
        new Progress(
            err,
            () ->
                "verify    "
                    + Figures.count(verifier.checkedPoints())
                    + " points of "
                    + Figures.count(spec.totalPoints()))) {
      return verifier.verify(executor);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Cannot read the store: " + LoadRun.cause(e) + ".", e);
    } finally {
      executor.shutdownNow();
    }
  }

  static void print(VerifyReport report, double seconds, PrintWriter out) {
    out.printf(
        "verified  %s of %s points equal in %s: %s%n",
        Figures.count(report.equalPoints()),
        Figures.count(report.expectedPoints()),
        Figures.seconds(seconds),
        report.passed() ? "all there, nothing else" : "FAILED");
    if (!report.passed()) {
      out.printf(
          "          missing %s, wrong %s, unexpected %s%n",
          Figures.count(report.missingPoints()),
          Figures.count(report.wrongPoints()),
          Figures.count(report.extraPoints()));
      report.differences().forEach(difference -> out.println("          " + difference));
    }
  }

  private static Map<String, Object> resultOf(VerifyReport report, double seconds) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("passed", report.passed());
    result.put("expected", report.expectedPoints());
    result.put("equal", report.equalPoints());
    result.put("missing", report.missingPoints());
    result.put("wrong", report.wrongPoints());
    result.put("unexpected", report.extraPoints());
    result.put("rows", report.rows());
    result.put("columns", report.columns());
    result.put("seconds", seconds);
    result.put("differences", report.differences());
    return result;
  }
}
