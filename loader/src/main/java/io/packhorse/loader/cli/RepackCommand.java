package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.load.PointSelection;
import io.packhorse.loader.load.Repack;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code repack}: packs what OpenTSDB stored, in place. */
@Command(
    name = "repack",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Pack hours that are in the store already, in place.",
      "Single points, appends and compacted columns that OpenTSDB has written, and several packed cells"
          + " of one hour, become one packed cell. First all are packed, then each new cell is read back"
          + " and compared with the old columns. Queries answer the same at every moment, and points"
          + " written meanwhile stay.",
      "The old columns are kept until packhorse job resume, or --delete, deletes them; until then packhorse"
          + " job rollback undoes everything.",
    },
    footer = {
      "",
      "Only whole hours are repacked. Annotations, histograms and columns of unknown kinds stay. Hours with",
      "a column that cannot be read stay as they are, are listed in left.tsv, and the exit code is 3.",
      "An unpatched TSD sees packed cells of none of these hours: once the old columns are deleted, it has",
      "nothing of them. HBase frees the space at the next major compaction of the table.",
      "",
      "Examples:",
      "  packhorse repack --dry-run",
      "      how much smaller everything older than a day would be",
      "  packhorse repack --metric sys.cpu.user --before 2025-01-01",
      "      packs and verifies; packhorse job resume JOB then deletes the old columns",
      "  packhorse repack --before 2025-01-01 --delete --rate 500000",
      "      everything in one go, on a cluster that others use",
    })
final class RepackCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--before",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Before this time (default: a day ago).")
  private @Nullable Instant before;

  @Option(
      names = "--dry-run",
      description = "Read and pack, store nothing, and say what would become smaller.")
  private boolean dryRun;

  @Option(
      names = "--sample",
      paramLabel = "HOURS",
      defaultValue = "200",
      description =
          "With --dry-run: where there are more hours, read so many of them, chosen by chance, and say what"
              + " all would be and how far that may be off; 0 reads all (default: ${DEFAULT-VALUE}).")
  private int sample;

  @Option(
      names = "--delete",
      description =
          "Delete the old columns when all new cells are verified. This cannot be undone (default:"
              + " keep them).")
  private boolean delete;

  @Option(
      names = "--rate",
      paramLabel = "POINTS",
      description =
          "Read about so many points a second at most, in each stage (default: no limit).")
  private long rate;

  @Option(
      names = "--query-timeout",
      paramLabel = "SPAN",
      converter = TimeSpan.class,
      defaultValue = "120s",
      description =
          "The longest that a query of your TSDs takes, their tsd.query.timeout: so long after the last"
              + " new cell nothing is deleted (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration queryTimeout;

  @Option(
      names = "--margin",
      paramLabel = "SPAN",
      converter = TimeSpan.class,
      defaultValue = "60s",
      description =
          "Leave alone what was written less than this ago: more than the clocks of your region servers"
              + " differ by (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration margin;

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "Name of the job that this is (default: made of the time).")
  private @Nullable String job;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      converter = ShardOption.Converter.class,
      description =
          "Repack a part of the job that --job names: the I-th of N ranges of hours between --from and"
              + " --before. Each of N loaders is given the same command but for I, on any machine.")
  private JobShard shard = JobShard.WHOLE;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, StoreException, IOException, InterruptedException {
    if (rate < 0 || sample < 0 || sample == 1) {
      throw new ParameterException(
          command.commandLine(),
          rate < 0
              ? "--rate must be 1 or more."
              : "--sample must be 2 or more, or 0 for all hours.");
    }
    long started = System.nanoTime();
    Repack.Result result = repack();
    double seconds = (System.nanoTime() - started) / 1e9;
    ExitCode ended = RepackPrinter.exitCode(result);
    RepackPrinter printer =
        new RepackPrinter(result, seconds, target.address().options(), command.commandLine());
    json.print(command, ended, settings(), printer.json(), printer::print);
    return ended.code();
  }

  private Repack.Result repack()
      throws JobException, StoreException, IOException, InterruptedException {
    if (before == null && !shard.isWhole()) {
      throw new ParameterException(
          command.commandLine(), "--shard needs --before: the same time for all shards.");
    }
    PointSelection wanted =
        selection.selection(before == null ? Instant.now().minus(1, ChronoUnit.DAYS) : before);
    Repack repack = new Repack(target.address(), ConsoleAnnouncer.of(command));
    return dryRun
        ? repack.dryRun(wanted, shard, margin, sample)
        : repack.run(
            new Repack.Request(
                wanted,
                delete,
                rate,
                margin,
                queryTimeout,
                jobId(),
                shard,
                command.root().commandLine().getParseResult().originalArgs()));
  }

  private String jobId() {
    if (job == null && !shard.isWhole()) {
      throw new ParameterException(
          command.commandLine(), "--shard needs --job: the same name for all shards.");
    }
    return job == null ? JobFolder.newId(Instant.now()) : JobOptions.checked(job, command);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    selection.putInto(settings);
    settings.put("before_ms", before == null ? null : before.toEpochMilli());
    settings.put("dry_run", dryRun);
    settings.put("sample", sample);
    settings.put("shard", shard.toString());
    settings.put("delete", delete);
    settings.put("rate", rate);
    settings.put("margin_ms", margin.toMillis());
    settings.put("query_timeout_ms", queryTimeout.toMillis());
    return settings;
  }
}
