package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.loadtest.Packing;
import io.packhorse.loader.loadtest.Workload;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.SinkContext;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.SeriesRecorder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The points of one load test, on as many threads as there are cores. */
final class LoadTestPacker implements Packing.Packer {
  private static final int SERIES_A_CHECK = 16_384;

  private final PutDestination puts;
  private final Announcer announcer;
  private final int batchPoints;
  private final SeriesResolver resolver;
  private final SeriesNames names = new SeriesNames();
  private final LastTimes times = new LastTimes();
  private final ScratchHours scratch = new ScratchHours();
  private final List<PackingThread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable IOException> death = new AtomicReference<>();
  private @Nullable PeriodicTask health;
  private boolean closed;

  private LoadTestPacker(PutDestination puts, Workload workload, Announcer announcer) {
    this.puts = puts;
    this.announcer = announcer;
    this.batchPoints = workload.batch();
    this.resolver = puts.newResolver();
  }

  /**
   * Begins.
   *
   * @param puts closed with the packer
   * @param giveUp after which a batch that is stored counts as one that timed out
   */
  static LoadTestPacker begin(
      PutDestination puts,
      Workload workload,
      SealPolicy policy,
      Duration giveUp,
      Announcer announcer)
      throws IOException {
    LoadTestPacker packer = new LoadTestPacker(puts, workload, announcer);
    packer.resolve(workload);
    packer.start(policy, giveUp);
    return packer;
  }

  /** The number of a series is that in the workload. */
  private void resolve(Workload workload) throws IOException {
    for (int series = 0; series < workload.series().count(); series++) {
      names.intern(workload.series().name(series));
      if (series % SERIES_A_CHECK == 0) {
        resolver.resolveMany(names);
      }
    }
    resolver.resolveAll(names);
  }

  private void start(SealPolicy policy, Duration giveUp) throws IOException {
    SeriesRecorder recorder = puts.recorder(CellForm.PACKED, resolver, scratch::next);
    int count = Runtime.getRuntime().availableProcessors();
    for (int number = 0; number < count; number++) {
      CellSink sink = puts.openSink(recorder);
      HourPacker packer =
          new HourPacker(
              CellForm.PACKED,
              puts.rowKeys(),
              resolver::tsuid,
              policy,
              new SinkContext(sink, puts.openSummaries(), puts.loaderIds(), scratch::next));
      threads.add(new PackingThread(number, packer, sink, giveUp.toNanos(), this::failure));
    }
    health = puts.watch(reason -> death.compareAndSet(null, reason));
  }

  private String failure(Throwable e) {
    IOException dead = death.get();
    return "not stored: "
        + (e instanceof OutOfMemoryError
            ? "the heap is full, give PACKHORSE_HEAP more"
            : Causes.sentence(dead == null ? e : dead));
  }

  /** Batches begin at the same series in each interval, so a series stays with its thread. */
  @Override
  public void take(PointBatch points, Consumer<String> answered) throws InterruptedException {
    synchronized (times) {
      times.take(points);
    }
    int batch = points.series(0) / batchPoints;
    threads.get(batch % threads.size()).take(points, answered);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (puts;
        scratch;
        PeriodicTask watching = health) {
      for (PackingThread each : threads) {
        each.end();
      }
      if (threads.stream().anyMatch(PackingThread::hasFailed)) {
        puts.leaveSummaries(announcer);
      } else {
        puts.finishSummaries(List.of(), announcer);
        puts.writeSeriesMeta(names, resolver, times);
      }
    } catch (IOException e) {
      announcer.say(
          "pack", "cells are stored, but not what belongs to them: " + Causes.sentence(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
