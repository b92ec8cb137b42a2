package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.load.JobVerification;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.WalkVerification;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verify}: reads a job or generated points back from HBase. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read a load back from HBase and compare it with its input.",
      "Either a job with all its shards, of which only its own cells are read; or generated points,"
          + " whoever stored them: give the same options as to loadtest fill. Exit code 6 if a"
          + " single point differs.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse verify --job 20240131-101500-3fa2",
      "      every point of a job, against its files or its seed",
      "  packhorse verify --job 20240131-101500-3fa2 --level counts",
      "      as many points as its ledger says; reads no input",
      "  packhorse loadtest fill --span 1d --seed 7 && packhorse verify --span 1d --seed 7",
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "Id of a loaded job, as job list shows it.")
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
    Map<String, Object> settings = new LinkedHashMap<>();
    long started = System.nanoTime();
    VerifyReport report = verify(settings);
    double seconds = (System.nanoTime() - started) / 1e9;
    PrintWriter out = command.commandLine().getOut();
    ExitCode ended = report.passed() ? ExitCode.OK : ExitCode.VERIFICATION;
    json.print(
        command,
        ended,
        settings,
        VerifyPrinter.json(report, seconds),
        () -> VerifyPrinter.print(report, seconds, out));
    return ended.code();
  }

  private VerifyReport verify(Map<String, Object> settings)
      throws JobException, StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    if (job != null) {
      settings.put("job", job);
      settings.put("level", level.name().toLowerCase(Locale.ROOT));
      return JobVerification.ofJob(target.address(), job, level, announcer);
    }
    WalkSpec spec = walk.spec();
    settings.putAll(walk.json(spec));
    try (StoreConnection from = target.address().open(announcer)) {
      return new WalkVerification(from, spec, announcer).run();
    }
  }
}
