package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.repack.RepackCount;
import io.packhorse.loader.repack.RepackCounts;
import io.packhorse.loader.repack.VerifyRows.DifferenceException;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.summary.hbase.StoredClaim;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Packs hours that are in the store already: OpenTSDB's own columns and several packed cells of a
 * row become one packed cell. The new cells have a timestamp some time back: what is written
 * meanwhile is newer, and wins over them as it would have won over the old columns.
 *
 * @param store that is repacked
 */
public record Repack(StoreAddress store, Announcer announcer) {
  private static final String LEFT_FILE = "left.tsv";

  /**
   * What is asked for.
   *
   * @param wanted hours; only whole ones are repacked
   * @param delete whether the old columns are deleted once the new cells are verified
   * @param pointsPerSecond most points read in a second; 0 for no limit
   * @param margin columns written less than this ago are left alone: the clocks of region servers
   *     may differ by so much
   * @param queryTimeout the longest that a query may take
   * @param jobId name of the job
   * @param shard which of the job's loaders this is; each repacks hours of its own
   * @param command the words that asked for it, for people to read
   */
  public record Request(
      PointSelection wanted,
      boolean delete,
      long pointsPerSecond,
      Duration margin,
      Duration queryTimeout,
      String jobId,
      JobShard shard,
      List<String> command) {}

  /**
   * How it ended.
   *
   * @param jobId empty if nothing was to be stored
   * @param state of the job
   * @param counts of all its runs
   * @param left the first lines of what was left
   * @param leftFile lists all of it
   * @param sample what the counts are estimated from; empty if they are exact
   */
  public record Result(
      Optional<String> jobId,
      JobState state,
      RepackCounts counts,
      List<String> left,
      Optional<Path> leftFile,
      Optional<HourSample> sample) {
    /** For programs. */
    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("job", jobId.orElse(null));
      json.put("state", state.toString());
      for (RepackCount count : RepackCount.values()) {
        json.put(count.name().toLowerCase(Locale.ROOT), counts.get(count));
      }
      json.put("left_file", leftFile.map(Path::toString).orElse(null));
      json.put("hours", sample.map(HourSample::hours).orElse(null));
      json.put("sampled_hours", sample.map(of -> of.counts().size()).orElse(null));
      for (RepackCount count :
          List.of(RepackCount.POINTS, RepackCount.COLUMN_BYTES, RepackCount.CELL_BYTES)) {
        json.put(
            count.name().toLowerCase(Locale.ROOT) + "_within",
            sample.map(of -> Math.round(of.bound(count))).orElse(null));
      }
      return json;
    }
  }

  /**
   * Reads and packs what is wanted, or hours of it that stand for all, and stores nothing.
   *
   * @param sampleHours how many hours are read if there are more; 0 for all of them
   * @throws OperationException as {@link #run}
   */
  public Result dryRun(PointSelection wanted, JobShard shard, Duration margin, int sampleHours)
      throws StoreException, IOException, InterruptedException {
    PointSelection hours = wholeHours(wanted.shard(shard, "--before"));
    try (StoreConnection from = store.open(announcer)) {
      return new RepackDryRun(from, hours, margin, announcer).run(sampleHours);
    } catch (ExecutionException e) {
      throw failed(e.getCause(), "Nothing was stored.", "");
    }
  }

  /**
   * Begins a repack and runs it to its end.
   *
   * @throws OperationException USAGE if nothing can be wanted so, REFUSED before anything is
   *     written, CLUSTER or VERIFICATION if it could not be completed; the message says how to go
   *     on
   */
  public Result run(Request request)
      throws JobException, StoreException, IOException, InterruptedException {
    PointSelection wanted = wholeHours(request.wanted().shard(request.shard(), "--before"));
    LoadInput.Stored input =
        new LoadInput.Stored(
            wanted.metrics(),
            wanted.tags(),
            wanted.fromMs(),
            wanted.toMs(),
            request.delete(),
            request.queryTimeout().toMillis());
    LoadSettings settings =
        new LoadSettings(
            input,
            new LoadOutput.Puts(PutDurability.SYNC, request.pointsPerSecond()),
            CellForm.PACKED,
            1,
            false,
            0,
            null,
            null);
    LoadRequest load =
        new LoadRequest(
            settings,
            LoadInputs.NONE,
            request.jobId(),
            request.shard(),
            request.command(),
            false,
            Long.MAX_VALUE);
    try (StoreConnection to = store.openToLoad(announcer, CellForm.PACKED, false)) {
      SummaryClaim hours = claim(to, wanted);
      refuseBesideLoaders(to, hours, 0);
      try (JobRun run = JobRun.begin(load, List.of(), true, to, store, announcer)) {
        LoaderId loader = newLoader(to, run.job(), request.margin());
        return run(to, run, loader, hours, request.delete());
      }
    }
  }

  /**
   * Resumes a repack: completes it, and then deletes the old columns if that was asked for; one
   * that is complete but for that deletes them.
   *
   * @param job stays the caller's
   * @throws OperationException as {@link #run}
   */
  public Result resume(Job job)
      throws JobException, StoreException, IOException, InterruptedException {
    JobRun.checkResumable(job);
    LoadInput.Stored input = (LoadInput.Stored) job.manifest().settings().input();
    try (StoreConnection to = store.openToLoad(announcer, CellForm.PACKED, false)) {
      SummaryClaim hours = claim(to, selection(input));
      if (job.loaders().isEmpty()) {
        throw JobRun.notResumed(
            job.manifest(), "it has packed nothing; delete it and repack again");
      }
      LoaderId loader = job.loaders().get(0);
      if (job.state() == JobState.OPEN) {
        refuseBesideLoaders(to, hours, loader.id());
      }
      JobRun run = JobRun.resume(job, to, store, announcer);
      return run(to, run, loader, hours, input.delete() || job.state() != JobState.OPEN);
    }
  }

  private Result run(
      StoreConnection to, JobRun run, LoaderId loader, SummaryClaim hours, boolean delete)
      throws IOException, InterruptedException {
    Job job = run.job();
    LoadInput.Stored input = (LoadInput.Stored) job.manifest().settings().input();
    try {
      RepackStages stages = new RepackStages(job, selection(input), to, loader, hours, announcer);
      stages.run(delete);
      Path left = job.folder().resolve(LEFT_FILE);
      List<String> examples = stages.left(left);
      Result result =
          new Result(
              Optional.of(job.manifest().id()),
              job.state(),
              stages.counts(),
              examples,
              examples.isEmpty() ? Optional.empty() : Optional.of(left),
              Optional.empty());
      job.writeResult(result.json());
      return result;
    } catch (ExecutionException e) {
      throw failed(e.getCause(), "Queries answer as before.", capitalised(run.resumeHint()));
    } catch (IOException e) {
      throw failed(e, "Queries answer as before.", capitalised(run.resumeHint()));
    }
  }

  private static String capitalised(String hint) {
    return hint.substring(0, 1).toUpperCase(Locale.ROOT) + hint.substring(1);
  }

  /** The loader id of the job's cells; a resumed job writes the same cells again. */
  private static LoaderId newLoader(StoreConnection to, Job job, Duration margin)
      throws IOException {
    HBaseLoaderIds ids = new HBaseLoaderIds(to.cluster().connection());
    return job.recording(
            () -> {
              LoaderId next = ids.next();
              return new LoaderId(next.id(), next.stampMs() - margin.toMillis());
            })
        .next();
  }

  private static PointSelection selection(LoadInput.Stored input) {
    return new PointSelection(
        input.metrics(),
        new TreeMap<>(input.tags()),
        Optional.of(Instant.ofEpochMilli(input.fromMs())),
        Optional.of(Instant.ofEpochMilli(input.toMs())));
  }

  /** The whole hours between two times. */
  private static PointSelection wholeHours(PointSelection wanted) {
    wanted.check("--before");
    long from = (wanted.fromMs() + BaseTime.HOUR_MS - 1) / BaseTime.HOUR_MS * BaseTime.HOUR_MS;
    long to = wanted.toMs() / BaseTime.HOUR_MS * BaseTime.HOUR_MS;
    if (from >= to) {
      throw new OperationException(
          Kind.USAGE,
          "No whole hour lies between --from and --before: rows are hours, and are repacked whole.");
    }
    return new PointSelection(
        wanted.metrics(),
        wanted.tags(),
        Optional.of(Instant.ofEpochMilli(from)),
        Optional.of(Instant.ofEpochMilli(to)));
  }

  private static SummaryClaim claim(StoreConnection to, PointSelection wanted) throws IOException {
    RowKeyLayout layout = to.layout().rowKeys();
    List<Long> metrics = wanted.metricUids(to);
    return new SummaryClaim(
        Reason.WRITING,
        wanted.fromMs() / 1000,
        wanted.toMs() / 1000,
        metrics.size() > SummaryClaim.METRICS_MAX
            ? List.of()
            : metrics.stream().map(uid -> UidRows.encode(uid, layout.widths().metric())).toList());
  }

  /**
   * A loader that began earlier writes cells with a timestamp that may be below that of the new
   * cells, which would then win over cells that come later.
   *
   * @param own loader of the repack itself
   */
  private static void refuseBesideLoaders(StoreConnection to, SummaryClaim hours, int own)
      throws IOException {
    for (StoredClaim other : to.claims().read().claims()) {
      if (other.loaderId() != own && !other.waits() && overlaps(other.claim(), hours)) {
        throw new OperationException(
            Kind.REFUSED,
            "Nothing was repacked: loader "
                + other.loaderId()
                + " is writing or deleting hours from "
                + Instant.ofEpochSecond(other.claim().fromSeconds())
                + " to "
                + Instant.ofEpochSecond(other.claim().toSeconds())
                + " now. Wait for that load or name other hours with --before; if it has died, resume"
                + " its job, or run packhorse summary build --ended "
                + other.loaderId()
                + ".");
      }
    }
  }

  private static boolean overlaps(SummaryClaim other, SummaryClaim hours) {
    return other.fromSeconds() < hours.toSeconds()
        && hours.fromSeconds() < other.toSeconds()
        && (hours.metrics().isEmpty() || hours.metrics().stream().anyMatch(other::has));
  }

  private static RuntimeException failed(@Nullable Throwable cause, String safe, String next)
      throws InterruptedException {
    if (cause instanceof OperationException refused) {
      return refused;
    }
    if (cause != null && Causes.isInterrupt(cause)) {
      throw new InterruptedException("interrupted while repacking");
    }
    if (cause instanceof DifferenceException) {
      return new OperationException(
          Kind.VERIFICATION,
          "Stopped: "
              + Causes.sentence(cause)
              + ", and stay beside them. Queries read both. "
              + next,
          cause);
    }
    if (cause instanceof IOException) {
      return new OperationException(
          Kind.CLUSTER, "Stopped: " + Causes.sentence(cause) + ". " + safe + " " + next, cause);
    }
    return new IllegalStateException("repacking failed unexpectedly", cause);
  }
}
