package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.hfile.SpreadHFiles;
import io.packhorse.loader.sink.hfile.Staging;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.RejectsFileException;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads files that other processes read, pack and write as HFiles. This process keeps the job's
 * record, resolves names and hands the files over to HBase, as the bulk load of a staged job does.
 *
 * <p>Nothing of the load can be seen before all of its files are staged; from then on {@code job
 * resume} can finish it, on any machine that has the job's folder.
 *
 * @param workers that read and write; they stay the caller's
 */
public record SpreadLoad(SpreadWorkers workers) implements LoadEngine {
  private static final int UID_CALLS = 8;

  /** A file is not divided into smaller parts for the sake of more tasks. */
  private static final long INPUT_BYTES_MIN = 4L << 20;

  /** And not into larger ones, so that no task runs for long. */
  private static final long INPUT_BYTES_MAX = 256L << 20;

  private static final int INPUTS_A_THREAD = 3;

  @Override
  public LoadResult run(StoreAddress store, LoadRequest request, Announcer announcer)
      throws JobException, StoreException, IOException, InterruptedException {
    long started = System.nanoTime();
    LoadSettings settings = request.settings();
    checkPossible(request);
    store.checkOutput(settings.output());
    LoadRunner runner = new LoadRunner(store, announcer);
    LoadResult staged = null;
    try (StoreConnection to =
            store
                .openToLoad(announcer, settings.cells(), settings.seriesMeta())
                .withNewNames(request.newNamesMax());
        JobRun run = beginOrResume(runner, request, to)) {
      if (run.job().state() != JobState.STAGED) {
        staged = stage(new Stage(to, run, runner, request, announcer), run, started);
      }
    }
    if (staged == null) {
      return finish(store, request, runner);
    }
    if (settings.stage().isPresent()) {
      return staged;
    }
    try (Job job = store.jobs().open(request.jobId(), request.shard())) {
      runner.resume(job, Optional.empty(), Optional.empty());
      LoadResult loaded = timed(staged, started);
      job.writeResult(loaded.json());
      return loaded;
    }
  }

  private static LoadResult stage(Stage stage, JobRun run, long started)
      throws IOException, InterruptedException {
    Kind ended = Kind.INTERNAL;
    boolean done = false;
    try {
      LoadResult result = stage.run(started);
      done = true;
      return result;
    } catch (OperationException e) {
      ended = e.kind();
      throw e;
    } finally {
      if (!done && run.isForgottenAfter(ended)) {
        run.job().remove();
      }
    }
  }

  /** Hands over what an earlier driver has staged. */
  private static LoadResult finish(StoreAddress store, LoadRequest request, LoadRunner runner)
      throws JobException, StoreException, IOException, InterruptedException {
    try (Job job = store.jobs().open(request.jobId(), request.shard())) {
      return runner.resume(job, Optional.empty(), Optional.empty());
    }
  }

  /**
   * Begins a job; or takes up one of that name whose driver died, to do it again from its
   * beginning, since nothing of it can be seen yet.
   *
   * @throws OperationException REFUSED if that job was made by another command, or its files have
   *     changed
   */
  private static JobRun beginOrResume(LoadRunner runner, LoadRequest request, StoreConnection to)
      throws JobException, IOException {
    StoreAddress store = runner.store();
    boolean isThere =
        store.jobs().list().jobs().stream()
            .anyMatch(
                job ->
                    job.manifest().id().equals(request.jobId())
                        && job.manifest().part().equals(request.shard())
                        && !job.history().state().isFinal());
    if (!isThere) {
      return runner.begin(request, to);
    }
    Job job = store.jobs().open(request.jobId(), request.shard());
    boolean taken = false;
    try {
      JobRun.checkResumable(job);
      Manifest made = job.manifest();
      if (!made.settings().equals(request.settings())
          || !paths(made.inputs()).equals(paths(JobFiles.of(request.inputs().all())))) {
        throw JobRun.notResumed(
            made,
            "it was submitted with other options or files; repeat that command, or name another"
                + " job with --job");
      }
      if (request.settings().stage().isPresent() && job.state() == JobState.STAGED) {
        throw JobRun.notResumed(made, "it is staged; load it with packhorse hfile complete");
      }
      job.tidy();
      JobRun run = JobRun.resume(job, to, store, runner.announcer());
      taken = true;
      return run;
    } finally {
      if (!taken) {
        job.close();
      }
    }
  }

  private static List<String> paths(List<JobInput> files) {
    return files.stream().map(JobInput::path).toList();
  }

  /**
   * Refuses what needs this process to read or write.
   *
   * @throws OperationException USAGE
   */
  private static void checkPossible(LoadRequest request) {
    LoadSettings settings = request.settings();
    String refused = null;
    if (!(settings.output() instanceof LoadOutput.HFiles)) {
      refused = "--sink " + settings.output() + " is of one process; use --sink hfiles";
    } else if (!request.shard().isWhole()) {
      refused = "--shard is for loaders that do not know of each other; leave it out";
    } else if (settings.metricsPort() != null) {
      refused = "--metrics tells of one process; leave it out";
    }
    for (Input input : request.inputs().all()) {
      if (!input.isPlainFile() || input.opener().file().isEmpty()) {
        refused = input.name() + " is not a file, which every process can read: write it to one";
      }
    }
    if (refused != null) {
      throw new OperationException(Kind.USAGE, "Nothing was loaded: " + refused + ".");
    }
  }

  private static LoadResult timed(LoadResult staged, long started) {
    LoadOutcome before = staged.outcome();
    return new LoadResult(
        new LoadOutcome(
            before.counts(),
            before.replaced(),
            before.earlier(),
            before.rejected(),
            before.times(),
            seconds(started),
            before.cpuSeconds()),
        staged.asksAboutReplaced(),
        staged.findings(),
        staged.leftOut(),
        staged.rejectsByReason(),
        staged.rejectsFile(),
        staged.firstRejects(),
        staged.job(),
        staged.stage());
  }

  private static double seconds(long started) {
    return Math.max(1e-3, (System.nanoTime() - started) / 1e9);
  }

  /** A load until its files are staged. */
  private final class Stage implements Staging.Steps {
    private final StoreConnection to;
    private final JobRun run;
    private final LoadRunner runner;
    private final LoadRequest request;
    private final LoadSettings settings;
    private final LoadInput.Files limits;
    private final Announcer announcer;
    private final SeriesNames names = new SeriesNames();
    private final SeriesResolver resolver;
    private final ExecutorService calls =
        Executors.newFixedThreadPool(UID_CALLS, SpreadLoad::daemon);
    private final List<String> firstRejects = new ArrayList<>();
    private List<SpreadInput> inputs = List.of();
    private LoadCounts counts = LoadCounts.NONE;
    private Map<String, Long> rejected = Map.of();
    private String tsuids = "";

    Stage(
        StoreConnection to,
        JobRun run,
        LoadRunner runner,
        LoadRequest request,
        Announcer announcer) {
      this.to = to;
      this.run = run;
      this.runner = runner;
      this.request = request;
      this.settings = request.settings();
      this.limits = (LoadInput.Files) settings.input();
      this.announcer = announcer;
      this.resolver = new SeriesResolver(to.uids(calls), to.layout().rowKeys().widths());
    }

    LoadResult run(long started) throws InterruptedException {
      try (Rejects rejects = runner.rejects(settings, run);
          SpreadHFiles files = openFiles()) {
        files.notes().forEach(note -> announcer.say("hfiles", note));
        return run(rejects.file(), files, started);
      } catch (BudgetedSource.ExceededException e) {
        throw new OperationException(e.kind(), "Stopped: " + e.getMessage() + ". " + left(), e);
      } catch (InputException e) {
        Kind kind = e instanceof RejectsFileException ? Kind.CLUSTER : Kind.USAGE;
        throw new OperationException(kind, e.getMessage() + ". " + left(), e);
      } catch (IOException e) {
        throw new OperationException(
            Kind.CLUSTER, "Stopped: " + Causes.sentence(e) + ". " + left(), e);
      } finally {
        calls.shutdownNow();
      }
    }

    private String left() {
      return run.job().isBlank()
          ? "Nothing was loaded."
          : "Nothing can be seen in the store yet; " + run.resumeHint();
    }

    private SpreadHFiles openFiles() throws IOException {
      return SpreadHFiles.open(
          to.cluster().connection(),
          HFileDestination.target(to, settings.cells(), settings.stage(), 1, true));
    }

    private LoadResult run(Path rejectsFile, SpreadHFiles files, long started)
        throws IOException, InterruptedException {
      AnnouncingFormats announcing =
          new AnnouncingFormats(
              new Formats(limits.reading(), new SeriesNames()),
              request.inputs().saveMapping(),
              announcer);
      List<SpreadReading> readings = read(announcing);
      counts =
          sum(
              readings.stream()
                  .map(
                      each ->
                          new LoadCounts(each.read(), each.packed(), each.replaced(), 0, 0, 0, 0)));
      checkBalance("read");
      long leftOut = readings.stream().mapToLong(SpreadReading::leftOut).sum();
      takeRejects(readings, rejectsFile);
      BudgetedSource.checkRejected(
          limits, rejectedLines(), counts.read() + leftOut + rejectedLines(), true);
      BudgetedSource.check(limits, counts.replaced(), counts.read(), true);

      LastTimes times = run.job().takeSeries(names);
      int[][] numbers = takeSeries(readings, times);
      announcer.say(
          "input",
          HumanNumbers.count(counts.read(), "point", "points")
              + " of "
              + HumanNumbers.count(names.size(), "series", "series")
              + " are read");
      resolver.resolveAll(names);
      List<SpreadWriting> writings = write(readings, numbers, files);
      Replaced replaced = replaced(readings, numbers, writings);
      files.stage(
          writings.stream().map(SpreadWriting::file).filter(Objects::nonNull).toList(), how());
      LoadOutcome outcome =
          new LoadOutcome(
              counts.fullyAcknowledged(),
              replaced,
              0,
              rejectedLines(),
              PointTimes.of(times),
              seconds(started),
              0);
      LoadResult result =
          new LoadResult(
              outcome,
              LoadRunner.isAsked(outcome, settings),
              new InputFindings(announcing.readings(), request.inputs().notes()),
              leftOut,
              rejected,
              Optional.of(rejectsFile),
              firstRejects,
              Optional.of(request.jobId()),
              settings.stage());
      if (settings.stage().isPresent()) {
        run.finish(result);
      }
      return result;
    }

    /**
     * Decides how each file is read, as one process does before it reads the first; and into which
     * parts it is divided.
     *
     * @param whole files that are not divided
     */
    private List<SpreadInput> inspect(AnnouncingFormats announcing, Set<String> whole)
        throws IOException, InterruptedException {
      Points points = new Points(limits.reading().rules(), Rejects.counted());
      long all = request.inputs().all().stream().mapToLong(Input::size).sum();
      long partBytes =
          Math.max(
              INPUT_BYTES_MIN,
              Math.min(INPUT_BYTES_MAX, all / ((long) INPUTS_A_THREAD * workers.threads())));
      List<SpreadInput> inputs = new ArrayList<>();
      for (Input input : request.inputs().all()) {
        List<SpreadInput> parts =
            SpreadInput.parts(inputs.size(), input, announcing, points, partBytes);
        inputs.addAll(
            whole.contains(parts.get(0).path())
                ? List.of(SpreadInput.ofFile(inputs.size(), input))
                : parts);
      }
      return inputs;
    }

    /** Reads all inputs; a file that proves damaged is not divided, as nothing behind it counts. */
    private List<SpreadReading> read(AnnouncingFormats announcing)
        throws IOException, InterruptedException {
      inputs = inspect(announcing, Set.of());
      List<SpreadReading> readings = workers.read(inputs, settings);
      Set<String> damaged =
          readings.stream()
              .filter(SpreadReading::isDamaged)
              .map(reading -> inputs.get(reading.input()))
              .filter(input -> input.unit() != SpreadInput.Unit.FILE)
              .map(SpreadInput::path)
              .collect(Collectors.toSet());
      if (damaged.isEmpty()) {
        return readings;
      }
      announcer.say(
          "input",
          String.join(", ", damaged)
              + ": damaged; all is read again, so that nothing behind the damage counts");
      inputs = inspect(announcing, damaged);
      return workers.read(inputs, settings);
    }

    /** Lines of its file before each input. */
    private long[] linesBefore(List<SpreadReading> readings) {
      long[] before = new long[readings.size()];
      for (int i = 1; i < before.length; i++) {
        before[i] = inputs.get(i).isContinued() ? before[i - 1] + readings.get(i - 1).lines() : 0;
      }
      return before;
    }

    private void takeRejects(List<SpreadReading> readings, Path file)
        throws IOException, InterruptedException {
      long[] linesBefore = linesBefore(readings);
      for (SpreadReading reading : readings) {
        int input = reading.input();
        for (String each : reading.firstRejects()) {
          if (firstRejects.size() < Rejects.FIRST_MAX) {
            firstRejects.add(Rejects.moved(each, inputs.get(input).name(), linesBefore[input]));
          }
        }
      }
      Map<String, Long> byReason = new LinkedHashMap<>();
      for (Rejects.Reason reason : Rejects.Reason.values()) {
        long lines =
            readings.stream()
                .mapToLong(each -> each.rejected().getOrDefault(reason.toString(), 0L))
                .sum();
        if (lines > 0) {
          byReason.put(reason.toString(), lines);
        }
      }
      rejected = byReason;
      if (!byReason.isEmpty()) {
        try (OutputStream out =
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
          for (SpreadReading reading : readings) {
            if (!reading.rejected().isEmpty()) {
              int input = reading.input();
              workers.copyRejects(input, new MovedRejects(out, linesBefore[input]));
            }
          }
        }
      }
    }

    private long rejectedLines() {
      return rejected.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Numbers the series of all inputs, in the order in which one process would meet them. */
    private int[][] takeSeries(List<SpreadReading> readings, LastTimes times) throws IOException {
      int[][] numbers = new int[readings.size()][];
      for (SpreadReading reading : readings) {
        int[] ofInput = reading.addNames(names);
        numbers[reading.input()] = ofInput;
        for (int series = 0; series < ofInput.length; series++) {
          if (reading.lastMs()[series] != LastTimes.NONE) {
            times.take(ofInput[series], reading.lastMs()[series]);
            times.take(ofInput[series], reading.firstMs());
          }
        }
      }
      return numbers;
    }

    private List<SpreadWriting> write(
        List<SpreadReading> readings, int[][] numbers, SpreadHFiles files)
        throws IOException, InterruptedException {
      if (counts.packed() == 0) {
        return List.of();
      }
      RowKeyLayout layout = to.layout().rowKeys();
      LoaderId loader = run.job().recording(new HBaseLoaderIds(to.cluster().connection())).next();
      SpreadPlan plan =
          new SpreadPlan(
              settings.cells(),
              SpreadPlan.keys(layout),
              SpreadPlan.cut(
                  files.regionStarts(), samples(readings, numbers, layout), workers.threads()),
              loader.id(),
              loader.stampMs(),
              files.forTasks(settings.stage().isPresent()));
      List<SpreadWriting> writings =
          workers.write(plan, new SpreadSeries(names.size(), resolver::tsuid, numbers));
      counts =
          new LoadCounts(counts.read(), 0, counts.replaced(), 0, 0, 0, 0)
              .plus(
                  sum(
                      writings.stream()
                          .map(
                              each ->
                                  new LoadCounts(
                                      0,
                                      each.packed(),
                                      each.replaced(),
                                      0,
                                      each.cells(),
                                      each.cellBytes(),
                                      each.valueBytes()))));
      checkBalance("written");
      return writings;
    }

    private List<SpreadPlan.Sample> samples(
        List<SpreadReading> readings, int[][] numbers, RowKeyLayout layout) {
      List<SpreadPlan.Sample> samples = new ArrayList<>();
      for (SpreadReading reading : readings) {
        int[] of = reading.samples();
        for (int i = 0; i < of.length; i += 2) {
          samples.add(
              new SpreadPlan.Sample(
                  layout.rowKey(
                      resolver.tsuid(numbers[reading.input()][of[i]]),
                      of[i + 1] * (long) BaseTime.HOUR_SECONDS),
                  2.0 * reading.bytes() / of.length));
        }
      }
      return samples;
    }

    /** Checks that every point read was packed or replaced; called before the bulk load. */
    private void checkBalance(String done) {
      if (counts.read() != counts.packed() + counts.replaced()) {
        throw new OperationException(
            Kind.INTERNAL,
            "The counts do not balance after the points were "
                + done
                + ", nothing was loaded: "
                + counts);
      }
    }

    private Replaced replaced(
        List<SpreadReading> readings, int[][] numbers, List<SpreadWriting> writings) {
      Stream<RepeatedTime> whileReading =
          readings.stream()
              .flatMap(
                  each ->
                      Stream.ofNullable(each.replacedAt())
                          .map(at -> new RepeatedTime(numbers[each.input()][(int) at[0]], at[1])));
      Stream<RepeatedTime> whileWriting =
          writings.stream()
              .flatMap(each -> Stream.ofNullable(each.replacedAt()))
              .map(at -> new RepeatedTime((int) at[0], at[1]));
      return Replaced.of(true, Stream.concat(whileReading, whileWriting).findFirst(), names);
    }

    private Staging how() {
      return new Staging(
          settings
              .stage()
              .map(folder -> String.valueOf(Path.of(folder.getPath()).getFileName()))
              .orElse(StagedBulkLoad.folderOf(run.job().manifest())),
          settings.stage().isEmpty(),
          this);
    }

    @Override
    public void cellsComplete() throws IOException {
      run.job().keepSeries();
      tsuids = StagedBulkLoad.digest(names.size(), resolver::tsuid);
    }

    @Override
    public List<Path> describe() throws IOException {
      BudgetedSource.check(limits, counts.replaced(), counts.read(), true);
      return run.job().describeStaged(counts, rejected, settings.seriesMeta(), tsuids);
    }

    @Override
    public void staged() throws IOException {
      run.job().reach(JobState.STAGED, counts, rejected);
    }
  }

  private static LoadCounts sum(Stream<LoadCounts> counts) {
    return counts.reduce(LoadCounts.NONE, LoadCounts::plus);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "packhorse-store");
    thread.setDaemon(true);
    return thread;
  }
}
