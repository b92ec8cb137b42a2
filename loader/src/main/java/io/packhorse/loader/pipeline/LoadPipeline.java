package io.packhorse.loader.pipeline;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a load on one thread per shard, each with its own packer, loader id and sink; for files one
 * more thread reads, resolves names and routes points. An instance runs one load. {@link #stop},
 * {@link #abort} and {@link #counts} may be called by any thread.
 */
public final class LoadPipeline {
  private static final int HANDOFF_STEPS = 2;
  private static final int HEAP_CHECK_MS = 500;

  /** How often it is asked, after the end of the input, whether a checkpoint is due. */
  private static final int SEALING_CHECK_MS = 50;

  private final CellForm form;
  private final RowKeyLayout layout;
  private final SeriesResolver resolver;
  private final LoaderIds loaderIds;
  private final SinkOpener sinks;
  private final HourFiles hourFiles;
  private final int queuedPointsMax;
  private final List<Shard> shards = new CopyOnWriteArrayList<>();
  private final List<CellSink> opened = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private volatile List<Thread> threads = List.of();

  /** Number of series met so far; more than have UIDs, while names are read. */
  private volatile IntSupplier series;

  /** Ends what adds series outside of the pipeline's own threads. */
  private volatile Runnable refuseSeries = () -> {};

  /** The reading thread while it waits for its source, so that {@link #stop} can wake it. */
  private @Nullable Thread waitingForInput;

  /** Names temporary files; every call returns a new one that does not exist. Any thread. */
  public interface HourFiles {
    Path next() throws IOException;
  }

  /** Opens one sink for each shard. */
  public interface SinkOpener {
    CellSink open() throws IOException;

    /** What takes note of the packed cells of a shard before they are written, if anything does. */
    default Optional<SummedCells> openSummaries() {
      return Optional.empty();
    }
  }

  /** A pipeline that queues as many points as memory allows. */
  public LoadPipeline(
      CellForm form,
      RowKeyLayout layout,
      SeriesResolver resolver,
      LoaderIds loaderIds,
      SinkOpener sinks,
      HourFiles hourFiles) {
    this(form, layout, resolver, loaderIds, sinks, hourFiles, Integer.MAX_VALUE);
  }

  /**
   * @param resolver for {@link #runSlices} it must have resolved every series already
   * @param hourFiles for spilled hours and the open hours of checkpoints
   * @param queuedPointsMax about the most points of a source that wait for all shards together: a
   *     checkpoint waits until they are packed
   */
  public LoadPipeline(
      CellForm form,
      RowKeyLayout layout,
      SeriesResolver resolver,
      LoaderIds loaderIds,
      SinkOpener sinks,
      HourFiles hourFiles,
      int queuedPointsMax) {
    this.hourFiles = hourFiles;
    this.queuedPointsMax = queuedPointsMax;
    this.form = form;
    this.layout = layout;
    this.resolver = resolver;
    this.series = resolver::resolved;
    this.loaderIds = loaderIds;
    this.sinks = sinks;
  }

  /** Loads slices without checkpoints; see {@link #runSlices(List, SealPolicy, List)}. */
  public void runSlices(List<? extends PointSource> slices, SealPolicy policy)
      throws IOException, InterruptedException {
    runSlices(slices, policy, Collections.nCopies(slices.size(), Checkpoints.NONE));
  }

  /**
   * Loads sources that share no series, each on its own thread, which closes it at the end.
   *
   * @param checkpoints one for each slice
   * @throws IOException the first failure of any shard; {@link #counts} then says what is stored
   */
  public void runSlices(
      List<? extends PointSource> slices,
      SealPolicy policy,
      List<? extends Checkpoints> checkpoints)
      throws IOException, InterruptedException {
    List<ShardInput> inputs = new ArrayList<>();
    for (int i = 0; i < slices.size(); i++) {
      inputs.add(new Slice(slices.get(i), checkpoints.get(i), this::stopped));
    }
    openShards(inputs, policy, false);
    startShards();
    finish();
  }

  /**
   * Loads one source without checkpoints; see {@link #run(PointSource, SeriesNames, int,
   * SealPolicy, Checkpoints)}.
   */
  public void run(PointSource source, SeriesNames names, int shardCount, SealPolicy policy)
      throws IOException, InterruptedException {
    run(source, names, shardCount, policy, Checkpoints.NONE);
  }

  /**
   * Loads one source; its series are distributed over shards.
   *
   * @param names to which the source adds each new series
   * @throws IOException the first failure of the source or any shard
   */
  public void run(
      PointSource source,
      SeriesNames names,
      int shardCount,
      SealPolicy policy,
      Checkpoints checkpoints)
      throws IOException, InterruptedException {
    series = names::size;
    refuseSeries = names::refuseMore;
    List<Handoff> handoffs = new ArrayList<>();
    CountDownLatch sealing = new CountDownLatch(shardCount);
    for (int i = 0; i < shardCount; i++) {
      handoffs.add(new Handoff(HANDOFF_STEPS, sealing));
    }
    openShards(handoffs, policy, true);
    startShards();
    Thread reading =
        new Thread(
            () -> guard(() -> read(source, names, handoffs, sealing, policy, checkpoints)),
            "packhorse-reader");
    List<Thread> all = new ArrayList<>(threads);
    all.add(reading);
    threads = all;
    reading.start();
    finish();
  }

  private void read(
      PointSource source,
      SeriesNames names,
      List<Handoff> handoffs,
      CountDownLatch sealing,
      SealPolicy policy,
      Checkpoints checkpoints)
      throws IOException, InterruptedException {
    int batches = handoffs.size() * (HANDOFF_STEPS + 1);
    ShardRouter router = new ShardRouter(handoffs, Math.max(1, queuedPointsMax / batches));
    for (PointBatch batch = next(source); batch != null; batch = next(source)) {
      resolver.resolveAll(names);
      router.route(batch);
      if (policy.idleSeconds() > 0) {
        router.sendToIdle();
      }
      if (checkpoints.due()) {
        pass(Barrier.begin(source, checkpoints, handoffs.size()), router);
      }
    }
    boolean stoppedReading = stopped;
    if (stoppedReading) {
      pass(Barrier.begin(source, checkpoints, handoffs.size()), router);
    }
    router.end();
    do {
      if (!stopped && checkpoints.due()) {
        pass(Barrier.begin(source, checkpoints, handoffs.size()), router);
      }
    } while (!sealing.await(SEALING_CHECK_MS, TimeUnit.MILLISECONDS));
    if (!stoppedReading) {
      // If the load is killed while it writes summaries or tsdb-meta, it resumes from here.
      pass(Barrier.begin(source, checkpoints, handoffs.size()), router);
    }
    router.end();
  }

  private static void pass(Optional<Barrier> barrier, ShardRouter router)
      throws InterruptedException {
    if (barrier.isPresent()) {
      router.pass(barrier.get());
    }
  }

  /** The next batch; null at the end, or once the load is stopped. */
  private @Nullable PointBatch next(PointSource source) throws IOException, InterruptedException {
    synchronized (this) {
      if (stopped) {
        return null;
      }
      waitingForInput = Thread.currentThread();
    }
    try {
      return source.next();
    } catch (InterruptedException | InterruptedIOException | ClosedByInterruptException e) {
      if (!stopped || failure.get() != null) {
        throw e;
      }
      return null;
    } finally {
      synchronized (this) {
        waitingForInput = null;
        if (failure.get() == null) {
          // An interrupt by stop() that came too late for the source must not reach the shards.
          if (stopped) {
            Thread.interrupted();
          }
        }
      }
    }
  }

  /**
   * @param sharedByNumber whether a shard has the series whose numbers leave the same rest
   */
  private void openShards(
      List<? extends ShardInput> inputs, SealPolicy policy, boolean sharedByNumber)
      throws IOException {
    try {
      for (ShardInput input : inputs) {
        CellSink sink = sinks.open();
        opened.add(sink);
        HourPacker packer =
            new HourPacker(
                form,
                layout,
                resolver::tsuid,
                sharedByNumber ? inputs.size() : 1,
                policy.forOneOf(inputs.size()),
                new SinkContext(sink, sinks.openSummaries(), loaderIds, hourFiles));
        shards.add(new Shard(input, packer, sink));
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      closeSinks();
      throw e;
    }
  }

  private void startShards() {
    List<Thread> started = new ArrayList<>();
    for (Shard shard : shards) {
      started.add(
          new Thread(
              () -> guard(() -> shard.run(() -> stopped)), "packhorse-shard-" + started.size()));
    }
    threads = started;
    started.forEach(Thread::start);
  }

  private void finish() throws IOException, InterruptedException {
    boolean interrupted = false;
    Thread heapWatch = startHeapWatch();
    for (Thread thread : threads) {
      interrupted |= join(thread);
    }
    heapWatch.interrupt();
    closeSinks();
    if (interrupted) {
      throw new InterruptedException("load interrupted");
    }
    Throwable failed = failure.get();
    if (failed instanceof IOException e) {
      throw e;
    }
    // A thread that parses for the reader hands its error over as a cause.
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError e) {
        throw e;
      }
    }
    if (failed != null) {
      throw new IllegalStateException("load failed unexpectedly", failed);
    }
  }

  /** Ends the load if the heap is too small for it, see {@link HeapWatch}. */
  private Thread startHeapWatch() {
    Thread thread = new Thread(this::watchHeap, "heap-watch");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void watchHeap() {
    HeapWatch watch = new HeapWatch();
    try {
      while (true) {
        Thread.sleep(HEAP_CHECK_MS);
        if (watch.add(HeapWatch.Reading.now()) && threads.stream().anyMatch(Thread::isAlive)) {
          abort(new HeapFullException(Runtime.getRuntime().maxMemory(), series.getAsInt()));
          return;
        }
      }
    } catch (InterruptedException loadHasEnded) {
      // Nothing is left to watch.
    } catch (OutOfMemoryError e) {
      // Not even a reading fits: without the watch, the other threads might collect for minutes.
      fail(e);
    }
  }

  /** Waits for a thread to end. If interrupted, interrupts all threads first and returns true. */
  private boolean join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
        stopped = true;
        threads.forEach(Thread::interrupt);
      }
    }
  }

  /** Closes every sink. A failure here is reported only if nothing failed before. */
  private void closeSinks() {
    for (CellSink sink : opened) {
      try {
        sink.close();
      } catch (IOException | RuntimeException e) {
        fail(e);
      }
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void guard(Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    } catch (InterruptedException e) {
      // If the load is stopped, the failure or stop that interrupted this thread is reported.
      // Otherwise the interrupt is a failure, or the load would look complete without its points.
      if (!stopped) {
        fail(new InterruptedIOException("a thread of the load was interrupted"));
      }
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Throwable e) {
    failure.compareAndSet(null, e);
    stopped = true;
    refuseSeries.run();
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }
  }

  /**
   * Ends the load early: nothing more is read, sealed cells are flushed, and open hours go into a
   * last checkpoint or, without checkpoints, are dropped. The run method then returns.
   */
  public void stop() {
    synchronized (this) {
      stopped = true;
      if (waitingForInput != null) {
        waitingForInput.interrupt();
      }
    }
  }

  /**
   * Fails the load at once: its threads are interrupted and nothing more is sent. For a failure
   * that its threads would detect late, such as a store that has died.
   */
  public void abort(IOException reason) {
    fail(reason);
  }

  /** Whether {@link #stop} or a failure has ended the load early. */
  public boolean stopped() {
    return stopped;
  }

  /** Counts over all shards so far. */
  public LoadCounts counts() {
    LoadCounts total = LoadCounts.NONE;
    for (Shard shard : shards) {
      total = total.plus(shard.counts());
    }
    return total;
  }

  /** As {@link HourPacker#visibleUntilMs}, of all shards; 0 before all have stored. Any thread. */
  public long visibleUntilMs() {
    return shards.stream().mapToLong(Shard::visibleUntilMs).min().orElse(0);
  }

  /** A point that was replaced, if there was one. Any thread. */
  public Optional<RepeatedTime> firstReplaced() {
    return shards.stream().flatMap(shard -> shard.packer().firstReplaced().stream()).findFirst();
  }

  /** Hours that were sealed more than once, perhaps; when the load has ended. */
  public HourPacker.SealedAgain sealedAgain() {
    List<HourPacker.SealedAgain> all =
        shards.stream().map(shard -> shard.packer().sealedAgain()).toList();
    return new HourPacker.SealedAgain(
        all.stream().flatMapToLong(each -> Arrays.stream(each.keys())).toArray(),
        all.stream().allMatch(HourPacker.SealedAgain::complete));
  }
}
