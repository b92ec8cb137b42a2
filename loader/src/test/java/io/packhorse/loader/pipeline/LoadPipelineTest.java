package io.packhorse.loader.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pack.OpenHours;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.read.CellRows;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.FaultySink;
import io.packhorse.loader.sink.FaultySink.Fault;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.generated.GeneratedSource;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoadPipelineTest {
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
  private static final SealPolicy SMALL = new SealPolicy(2, 300_000, 0);
  private static final int SEEDS = 120;
  private static final List<Fault> FAULTS = List.of(Fault.values());

  private final AtomicInteger ids = new AtomicInteger();
  private final ScratchHours scratch = new ScratchHours();

  @AfterEach
  void removeScratch() throws IOException {
    scratch.close();
  }

  private LoaderId nextId() {
    return new LoaderId(ids.incrementAndGet(), 1000);
  }

  private LoadPipeline pipeline(SeriesResolver resolver, LoadPipeline.SinkOpener sinks) {
    return new LoadPipeline(CellForm.PACKED, LAYOUT, resolver, this::nextId, sinks, scratch::next);
  }

  private static SeriesResolver resolver() {
    return new SeriesResolver(new MemoryUidStore(), LAYOUT.widths());
  }

  @Test
  void everyPointArrivesOnceOverAnyNumberOfShards() throws Exception {
    for (int shards = 1; shards <= 4; shards++) {
      for (long seed = 1; seed <= 5; seed++) {
        String with = "shards " + shards + ", seed " + seed;
        FaultySink.Store store = new FaultySink.Store();
        SeriesResolver resolver = resolver();
        ScriptedSource source = new ScriptedSource(seed, 40, 30, -1, () -> {});
        LoadPipeline pipeline =
            pipeline(resolver, () -> new FaultySink(store, Fault.NEVER, 0, true, ids.get()));
        pipeline.run(source, source.names(), shards, SMALL);
        LoadCounts counts = pipeline.counts();
        assertTrue(counts.balanced(), with + ", " + counts);
        assertEquals(source.points(), counts.read(), with);
        assertEquals(store.storedPoints(), counts.acknowledged(), with);
        assertEquals(store.cells().size(), counts.cells(), with);
        assertEquals(List.of(), store.complaints(), with);
        assertEquals(0, store.open(), with);
        assertFalse(pipeline.stopped(), with);
        assertEquals(bySeries(source, resolver), stored(store), with);
      }
    }
  }

  @Test
  void slicesOfAWalkArriveInBothForms() throws Exception {
    WalkSpec spec = new WalkSpec("m", 7, 1000, ScriptedSource.BASE, 9000, 1);
    for (CellForm form : CellForm.values()) {
      for (int slices = 1; slices <= 4; slices++) {
        FaultySink.Store store = new FaultySink.Store();
        LoadPipeline pipeline =
            new LoadPipeline(
                form,
                LAYOUT,
                resolved(spec),
                this::nextId,
                () -> new FaultySink(store, Fault.NEVER, 0, false, 1),
                scratch::next);
        pipeline.runSlices(slices(spec, slices), SealPolicy.IN_ORDER);
        assertTrue(pipeline.counts().balanced());
        assertEquals(spec.totalPoints(), pipeline.counts().acknowledged());
        assertEquals(spec.totalPoints(), store.storedPoints());
        assertEquals(7 * spec.hours(), store.cells().size());
        assertEquals(List.of(), store.complaints());
      }
    }
  }

  @Test
  void eachShardHasItsOwnLoaderId() throws Exception {
    FaultySink.Store store = new FaultySink.Store();
    WalkSpec spec = new WalkSpec("m", 4, 60_000, ScriptedSource.BASE, 60, 1);
    LoadPipeline pipeline =
        pipeline(resolved(spec), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    pipeline.runSlices(slices(spec, 4), SealPolicy.IN_ORDER);
    assertEquals(4, ids.get());
    assertEquals(4, store.cells().stream().map(c -> c.qualifier()[3]).distinct().count());
  }

  @Test
  void stopEndsALoadWhoseSourceIsSilent() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    PointSource silent =
        new PointSource() {
          @Override
          public @Nullable PointBatch next() throws InterruptedException {
            waiting.countDown();
            new CountDownLatch(1).await();
            return null;
          }

          @Override
          public void close() {}
        };
    FaultySink.Store store = new FaultySink.Store();
    LoadPipeline pipeline =
        pipeline(resolver(), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    Thread stopper =
        new Thread(
            () -> {
              try {
                waiting.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              pipeline.stop();
            });
    stopper.start();
    pipeline.run(silent, new SeriesNames(), 2, SMALL);
    assertTrue(pipeline.stopped());
    assertEquals(0, store.open());
  }

  @Test
  void stoppingWhileOpenHoursAreReadIsNotAFailure() throws Exception {
    Path hours = Files.write(scratch.next(), new byte[9]);
    AtomicReference<@Nullable LoadPipeline> running = new AtomicReference<>();
    PointSource resumed =
        new ResumedSource(
            new OpenHours(List.of(new HourFile(hours, 0))),
            new ScriptedSource(1, 20, 20, -1, () -> {}));
    PointSource stopping =
        new PointSource() {
          @Override
          public @Nullable PointBatch next() throws IOException, InterruptedException {
            Objects.requireNonNull(running.get()).stop();
            return resumed.next();
          }

          @Override
          public void close() {}
        };
    FaultySink.Store store = new FaultySink.Store();
    LoadPipeline pipeline =
        pipeline(resolver(), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    running.set(pipeline);
    pipeline.run(stopping, new SeriesNames(), 2, SMALL);
    assertTrue(pipeline.stopped());
    assertEquals(0, store.open());
  }

  @Test
  void pointsOfASilentPipeAreStoredInTime() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    SeriesNames names = new SeriesNames();
    PointBatch few = new PointBatch(4);
    for (int series = 0; series < 3; series++) {
      names.intern(SeriesName.of("m", "host", "h" + series));
      few.add(series, ScriptedSource.BASE * 1000, series, false);
    }
    AtomicInteger calls = new AtomicInteger();
    PointSource pipe =
        new PointSource() {
          @Override
          public @Nullable PointBatch next() throws InterruptedException {
            if (calls.getAndIncrement() == 0) {
              return few;
            }
            ended.await();
            return null;
          }

          @Override
          public void close() {}
        };
    FaultySink.Store store = new FaultySink.Store();
    LoadPipeline pipeline =
        pipeline(resolver(), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    Thread watching =
        new Thread(
            () -> {
              while (pipeline.counts().packed() < 3) {
                Thread.onSpinWait();
              }
              ended.countDown();
            });
    watching.start();
    pipeline.run(pipe, names, 2, new SealPolicy(2, 1_000_000, 1));
    watching.join();
    assertFalse(pipeline.stopped());
    assertEquals(3, store.storedPoints());
  }

  /**
   * So at a low pace a checkpoint waits for few points, and what is read is near what is stored.
   */
  @Test
  void noMoreIsReadAheadThanTheLimit() throws Exception {
    AtomicInteger given = new AtomicInteger();
    SeriesNames names = new SeriesNames();
    names.intern(SeriesName.of("m", "host", "h"));
    PointBatch hours = new PointBatch(10);
    PointSource source =
        new PointSource() {
          @Override
          public @Nullable PointBatch next() {
            hours.clear();
            for (int i = 0; i < 10 && given.get() < 20_000; i++) {
              long second = ScriptedSource.BASE + 3600L * given.getAndIncrement();
              hours.add(0, second * 1000, 1, false);
            }
            return hours.points() == 0 ? null : hours;
          }

          @Override
          public void close() {}
        };
    AtomicInteger written = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CellSink sink =
        new CellSink() {
          @Override
          public void write(CellWrite cell) {
            int ahead = given.get() - written.getAndAdd(cell.points());
            most.accumulateAndGet(ahead, Math::max);
          }

          @Override
          public void flush() {}

          @Override
          public long acknowledgedPoints() {
            return written.get();
          }

          @Override
          public void close() {}
        };
    LoadPipeline pipeline =
        new LoadPipeline(
            CellForm.PACKED, LAYOUT, resolver(), this::nextId, () -> sink, scratch::next, 300);
    pipeline.run(source, names, 1, SMALL);
    assertEquals(20_000, pipeline.counts().acknowledged());
    assertTrue(most.get() <= 500, "ahead: " + most.get());
  }

  @Test
  void anyFaultOfASinkEndsTheLoadAndOnlyStoredPointsAreAcknowledged() throws Exception {
    int failed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      int shards = 1 + random.nextInt(4);
      int failing = random.nextInt(shards);
      int call = 1 + random.nextInt(40);
      boolean slow = random.nextBoolean();
      String with = "seed " + seed + ", " + fault + " in call " + call + ", shards " + shards;
      FaultySink.Store store = new FaultySink.Store();
      AtomicInteger opened = new AtomicInteger();
      SeriesResolver resolver = resolver();
      ScriptedSource source = new ScriptedSource(seed, 20, 25, -1, () -> {});
      LoadPipeline pipeline =
          pipeline(
              resolver,
              () -> {
                int number = opened.getAndIncrement();
                Fault own = number == failing ? fault : Fault.NEVER;
                return new FaultySink(store, own, call, slow, number);
              });
      @Nullable Exception thrown = null;
      try {
        pipeline.run(source, source.names(), shards, SMALL);
      } catch (IOException e) {
        thrown = e;
      }
      LoadCounts counts = pipeline.counts();
      assertEquals(store.failures() > 0, thrown != null, with);
      assertEquals(List.of(), store.complaints(), with);
      assertEquals(0, store.open(), with);
      assertEquals(store.acknowledgedPoints(), counts.acknowledged(), with);
      assertTrue(counts.acknowledged() <= store.storedPoints(), with);
      assertTrue(counts.packed() <= counts.read(), with);
      if (thrown == null) {
        assertTrue(counts.balanced(), with);
        assertEquals(bySeries(source, resolver), stored(store), with);
      } else {
        failed++;
        assertEquals("fault " + fault, thrown.getMessage(), with);
        assertTrue(pipeline.stopped(), with);
        assertHoldsOnlyPointsOf(source, resolver, store, with);
      }
    }
    assertTrue(failed > SEEDS / 3, "the plan must make loads fail: failed=" + failed);
  }

  @Test
  void aFaultInOneSliceEndsTheOthers() {
    WalkSpec spec = new WalkSpec("m", 4, 1000, ScriptedSource.BASE, 1_000_000_000L, 1);
    FaultySink.Store store = new FaultySink.Store();
    AtomicInteger opened = new AtomicInteger();
    LoadPipeline pipeline =
        pipeline(
            unchecked(() -> resolved(spec)),
            () ->
                new FaultySink(
                    store,
                    opened.getAndIncrement() == 2 ? Fault.HALF_WAY : Fault.NEVER,
                    20,
                    false,
                    7));
    IOException failure =
        assertThrows(
            IOException.class, () -> pipeline.runSlices(slices(spec, 4), SealPolicy.IN_ORDER));
    assertEquals("fault HALF_WAY", failure.getMessage());
    assertEquals(0, store.open());
    assertEquals(store.acknowledgedPoints(), pipeline.counts().acknowledged());
    assertTrue(pipeline.counts().acknowledged() < store.storedPoints() + 1);
  }

  @Test
  void aSourceThatFailsEndsTheLoad() {
    for (int failAt : new int[] {0, 1, 12}) {
      FaultySink.Store store = new FaultySink.Store();
      ScriptedSource source = new ScriptedSource(3, 20, 25, failAt, () -> {});
      LoadPipeline pipeline =
          pipeline(resolver(), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
      IOException failure =
          assertThrows(IOException.class, () -> pipeline.run(source, source.names(), 3, SMALL));
      assertEquals("input cannot be read", failure.getMessage());
      SeriesName late = SeriesName.of("late", "t", "1");
      assertThrows(CancellationException.class, () -> source.names().intern(late));
      assertEquals(0, store.open());
      assertTrue(pipeline.counts().acknowledged() <= store.storedPoints());
    }
  }

  @Test
  void aUidStoreThatFailsEndsTheLoad() {
    UidStore failing =
        new UidStore() {
          @Override
          public long[] findOrAssign(UidKind kind, List<String> names) throws IOException {
            throw new IOException("no UIDs");
          }

          @Override
          public OptionalLong find(UidKind kind, String name) {
            return OptionalLong.empty();
          }
        };
    FaultySink.Store store = new FaultySink.Store();
    ScriptedSource source = new ScriptedSource(3, 20, 25, -1, () -> {});
    LoadPipeline pipeline =
        pipeline(
            new SeriesResolver(failing, LAYOUT.widths()),
            () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    IOException failure =
        assertThrows(IOException.class, () -> pipeline.run(source, source.names(), 2, SMALL));
    assertEquals("no UIDs", failure.getMessage());
    assertEquals(0, store.open());
  }

  @Test
  void aSinkThatCannotBeOpenedClosesTheOthers() {
    FaultySink.Store store = new FaultySink.Store();
    AtomicInteger opened = new AtomicInteger();
    ScriptedSource source = new ScriptedSource(3, 20, 25, -1, () -> {});
    LoadPipeline pipeline =
        pipeline(
            resolver(),
            () -> {
              if (opened.getAndIncrement() == 2) {
                throw new IOException("no more sinks");
              }
              return new FaultySink(store, Fault.NEVER, 0, false, 1);
            });
    IOException failure =
        assertThrows(IOException.class, () -> pipeline.run(source, source.names(), 4, SMALL));
    assertEquals("no more sinks", failure.getMessage());
    assertEquals(0, store.open());
    assertEquals(0, source.points(), "nothing is read");
  }

  @Test
  void aFailingLoaderIdClosesTheSink() {
    FaultySink.Store store = new FaultySink.Store();
    LoaderIds none =
        () -> {
          throw new IOException("no ids");
        };
    LoadPipeline pipeline =
        new LoadPipeline(
            CellForm.PACKED,
            LAYOUT,
            resolver(),
            none,
            () -> new FaultySink(store, Fault.NEVER, 0, false, 1),
            scratch::next);
    ScriptedSource source = new ScriptedSource(1, 1, 1, -1, () -> {});
    IOException failure =
        assertThrows(IOException.class, () -> pipeline.run(source, source.names(), 1, SMALL));
    assertEquals("no ids", failure.getMessage());
    assertEquals(0, store.open());
  }

  @Test
  void anUnexpectedFailureIsNotAnIoException() {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class, () -> runInto(new IllegalArgumentException("ours")));
    assertTrue(failure.getCause() instanceof IllegalArgumentException);
  }

  @Test
  void anOutOfMemoryErrorIsRethrown() {
    OutOfMemoryError failure = new OutOfMemoryError("of a test");
    assertSame(failure, assertThrows(OutOfMemoryError.class, () -> runInto(failure)));
  }

  @Test
  void anOutOfMemoryErrorOfAHelpingThreadIsRethrown() {
    OutOfMemoryError failure = new OutOfMemoryError("of a test");
    IllegalStateException handedOver = new IllegalStateException("text cannot be parsed", failure);
    assertSame(failure, assertThrows(OutOfMemoryError.class, () -> runInto(handedOver)));
  }

  /** Runs a load whose sinks fail at the first cell. */
  private void runInto(Throwable failure) throws Exception {
    CellSink broken =
        new CellSink() {
          @Override
          public void write(CellWrite cell) {
            if (failure instanceof Error e) {
              throw e;
            }
            throw (RuntimeException) failure;
          }

          @Override
          public void flush() {}

          @Override
          public long acknowledgedPoints() {
            return 0;
          }

          @Override
          public void close() {}
        };
    ScriptedSource source = new ScriptedSource(3, 20, 25, -1, () -> {});
    pipeline(resolver(), () -> broken).run(source, source.names(), 2, SMALL);
  }

  @Test
  void stoppedMidWayItFlushesWhatWasSealed() throws Exception {
    for (long seed = 1; seed <= 40; seed++) {
      int shards = 1 + (int) (seed % 4);
      FaultySink.Store store = new FaultySink.Store();
      AtomicReference<@Nullable LoadPipeline> running = new AtomicReference<>();
      AtomicInteger batches = new AtomicInteger();
      int stopAt = (int) seed;
      SeriesResolver resolver = resolver();
      ScriptedSource source =
          new ScriptedSource(
              seed,
              20,
              Integer.MAX_VALUE,
              -1,
              () -> {
                LoadPipeline load = running.get();
                if (batches.getAndIncrement() == stopAt && load != null) {
                  load.stop();
                }
              });
      LoadPipeline pipeline =
          pipeline(resolver, () -> new FaultySink(store, Fault.NEVER, 0, true, 1));
      running.set(pipeline);
      pipeline.run(source, source.names(), shards, SMALL);
      String with = "seed " + seed;
      LoadCounts counts = pipeline.counts();
      assertTrue(pipeline.stopped(), with);
      assertEquals(List.of(), store.complaints(), with);
      assertEquals(0, store.open(), with);
      assertEquals(counts.packed(), counts.acknowledged(), with);
      assertEquals(counts.acknowledged(), store.storedPoints(), with);
      assertTrue(counts.read() <= source.points(), with);
      assertHoldsOnlyPointsOf(source, resolver, store, with);
    }
  }

  @Test
  void resumedFromItsLastCheckpointAfterAnyFaultItHoldsWhatOneUndisturbedRunWould()
      throws Exception {
    int resumed = 0;
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FaultySink.Store store = new FaultySink.Store();
      MemoryCheckpoints checkpoints = new MemoryCheckpoints(random.split());
      SeriesResolver resolver = resolver();
      LoadCounts total = LoadCounts.NONE;
      ScriptedSource source;
      int runs = 0;
      boolean done;
      do {
        MemoryCheckpoints.Kept from = checkpoints.last();
        Fault fault = runs == 8 ? Fault.NEVER : FAULTS.get(random.nextInt(FAULTS.size()));
        boolean stop = runs < 8 && random.nextBoolean();
        int stopAt = random.nextInt(15);
        int call = 1 + random.nextInt(30);
        AtomicReference<@Nullable LoadPipeline> running = new AtomicReference<>();
        AtomicInteger batches = new AtomicInteger();
        source =
            new ScriptedSource(
                seed,
                20,
                20,
                -1,
                () -> {
                  LoadPipeline load = running.get();
                  if (load != null && stop && batches.getAndIncrement() == stopAt) {
                    load.stop();
                  }
                });
        PointSource rest = source.at(from.position());
        LoadPipeline pipeline =
            pipeline(resolver, () -> new FaultySink(store, fault, call, false, call));
        running.set(pipeline);
        checkpoints.resumed();
        done = run(pipeline, new ResumedSource(from.openHours(), rest), source, checkpoints);
        total = from.counts().withoutOpenHours().plus(pipeline.counts());
        runs++;
      } while (!done);
      resumed += runs - 1;
      String with = "seed " + seed + ", runs " + runs;
      assertEquals(bySeries(source, resolver), stored(store), with);
      assertEquals(source.points(), total.read(), with);
      assertTrue(total.balanced(), with + ", " + total);
      assertEquals(List.of(), twice(store), with);
    }
    assertTrue(resumed > 40, "loads must be cut off often enough: resumed=" + resumed);
  }

  private static boolean run(
      LoadPipeline pipeline,
      PointSource source,
      ScriptedSource names,
      MemoryCheckpoints checkpoints)
      throws InterruptedException {
    try {
      pipeline.run(source, names.names(), 3, SMALL, checkpoints);
      return !pipeline.stopped();
    } catch (IOException cutOff) {
      return false;
    }
  }

  /** Complaints of the worst kind: a cell of one loader written again. */
  private static List<String> twice(FaultySink.Store store) {
    return store.complaints().stream().filter(said -> said.startsWith("written twice")).toList();
  }

  @Test
  void checkpointsGoOnWhileWhatIsOpenAtTheEndIsStored() throws Exception {
    for (int shards = 1; shards <= 3; shards++) {
      AfterTheEnd load = new AfterTheEnd(2);
      LoadPipeline pipeline = load.pipeline(() -> {});
      pipeline.run(load, load.source.names(), shards, SealPolicy.AT_THE_END, load);
      assertEquals(3, load.kept.size(), "two that were due and the last, shards " + shards);
      for (MemoryCheckpoints.Kept kept : load.kept) {
        assertEquals(load.source.position(), Optional.of(kept.position()));
        assertEquals(load.source.points(), kept.counts().read());
      }
      assertEquals(bySeries(load.source, load.resolver), stored(load.store));
    }
  }

  /** A load that is killed while it writes summaries or tsdb-meta resumes from that checkpoint. */
  @Test
  void theLastCheckpointLeavesNothingToStore() throws Exception {
    AfterTheEnd load = new AfterTheEnd(0);
    load.pipeline(() -> {}).run(load, load.source.names(), 3, SealPolicy.FILES, load);
    assertLeavesNothing(load);

    AfterTheEnd slice = new AfterTheEnd(0);
    // Slices have all their series resolved before.
    AfterTheEnd equal = new AfterTheEnd(0);
    while (equal.next() != null) {}
    slice.resolver.resolveAll(equal.source.names());
    slice.pipeline(() -> {}).runSlices(List.of(slice), SealPolicy.FILES, List.of(slice));
    assertLeavesNothing(slice);
  }

  private void assertLeavesNothing(AfterTheEnd load) throws Exception {
    assertEquals(1, load.kept.size());
    MemoryCheckpoints.Kept last = load.kept.get(0);
    assertEquals(load.source.points(), last.counts().acknowledged());
    assertNull(new ResumedSource(last.openHours(), load.source.at(last.position())).next());
  }

  @Test
  void stoppedWhileWhatIsOpenAtTheEndIsStoredItResumesWithTheRest() throws Exception {
    AfterTheEnd load = new AfterTheEnd(0);
    AtomicReference<@Nullable LoadPipeline> running = new AtomicReference<>();
    LoadPipeline pipeline =
        load.pipeline(
            () -> {
              LoadPipeline present = running.get();
              if (present != null) {
                present.stop();
              }
            });
    running.set(pipeline);
    pipeline.run(load, load.source.names(), 2, SealPolicy.AT_THE_END, load);
    assertTrue(pipeline.stopped());
    assertTrue(load.store.storedPoints() < load.source.points(), "it must stop before the end");
    assertEquals(1, load.kept.size(), "the last checkpoint");
    MemoryCheckpoints.Kept kept = load.kept.get(0);
    PointSource nothingMore = load.source.at(kept.position());
    LoadPipeline again =
        pipeline(load.resolver, () -> new FaultySink(load.store, Fault.NEVER, 0, false, 2));
    again.run(
        new ResumedSource(kept.openHours(), nothingMore), load.source.names(), 2, SealPolicy.FILES);
    assertEquals(bySeries(load.source, load.resolver), stored(load.store));
    assertTrue(
        kept.counts().withoutOpenHours().plus(again.counts()).balanced(),
        kept.counts() + ", " + again.counts());
    assertEquals(List.of(), twice(load.store));
  }

  /** A source and its checkpoints, which are due only once it has ended. */
  private final class AfterTheEnd implements PointSource, Checkpoints {
    private final ScriptedSource source = new ScriptedSource(5, 20, 10, -1, () -> {});
    private final FaultySink.Store store = new FaultySink.Store();
    private final SeriesResolver resolver = LoadPipelineTest.resolver();
    private final List<MemoryCheckpoints.Kept> kept = new CopyOnWriteArrayList<>();
    private final CountDownLatch enough;
    private boolean ended;

    AfterTheEnd(int wanted) {
      enough = new CountDownLatch(wanted);
    }

    /**
     * A pipeline whose sinks hold cells back until as many checkpoints have begun as are wanted.
     *
     * @param eachCell runs before each cell
     */
    LoadPipeline pipeline(Runnable eachCell) {
      return LoadPipelineTest.this.pipeline(
          resolver,
          () -> {
            CellSink sink = new FaultySink(store, Fault.NEVER, 0, false, 1);
            return new Hooked(
                sink,
                () -> {
                  eachCell.run();
                  enough.await();
                });
          });
    }

    @Override
    public @Nullable PointBatch next() throws IOException {
      PointBatch batch = source.next();
      ended |= batch == null;
      return batch;
    }

    @Override
    public Optional<SourcePosition> position() {
      return source.position();
    }

    @Override
    public void close() {}

    @Override
    public boolean due() {
      return ended && enough.getCount() > 0;
    }

    @Override
    public Optional<Pending> begin(SourcePosition position) {
      enough.countDown();
      return Optional.of(
          (counts, openHours) ->
              kept.add(new MemoryCheckpoints.Kept(position, counts, List.copyOf(openHours))));
    }
  }

  @Test
  void aCheckpointThatCannotBeWrittenEndsTheLoad() {
    Checkpoints full =
        new Checkpoints() {
          @Override
          public boolean due() {
            return true;
          }

          @Override
          public Optional<Pending> begin(SourcePosition position) {
            return Optional.of(
                (counts, openHours) -> {
                  throw new IOException("no space left on device");
                });
          }
        };
    FaultySink.Store store = new FaultySink.Store();
    ScriptedSource source = new ScriptedSource(3, 20, 25, -1, () -> {});
    LoadPipeline pipeline =
        pipeline(resolver(), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    IOException failure =
        assertThrows(IOException.class, () -> pipeline.run(source, source.names(), 3, SMALL, full));
    assertEquals("no space left on device", failure.getMessage());
    assertEquals(0, store.open());
  }

  @Test
  void slicesResumeFromTheirOwnCheckpoints() throws Exception {
    WalkSpec spec = new WalkSpec("m", 7, 60_000, ScriptedSource.BASE, 6000, 1);
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FaultySink.Store store = new FaultySink.Store();
      List<MemoryCheckpoints> checkpoints = new ArrayList<>();
      for (int slice = 0; slice < 3; slice++) {
        checkpoints.add(new MemoryCheckpoints(random.split()));
      }
      boolean done = false;
      LoadCounts total = LoadCounts.NONE;
      for (int runs = 0; !done; runs++) {
        Fault fault = runs == 5 ? Fault.NEVER : FAULTS.get(random.nextInt(FAULTS.size()));
        int call = 1 + random.nextInt(100);
        List<PointSource> slices = new ArrayList<>();
        total = LoadCounts.NONE;
        for (int slice = 0; slice < 3; slice++) {
          MemoryCheckpoints.Kept from = checkpoints.get(slice).last();
          checkpoints.get(slice).resumed();
          slices.add(new GeneratedSource(spec, slice, 3, from.position()));
          total = total.plus(from.counts().withoutOpenHours());
        }
        LoadPipeline pipeline =
            pipeline(resolved(spec), () -> new FaultySink(store, fault, call, false, call));
        try {
          pipeline.runSlices(slices, SealPolicy.WHOLE_HOURS, checkpoints);
          done = true;
        } catch (IOException cutOff) {
          done = false;
        }
        total = total.plus(pipeline.counts());
      }
      String with = "seed " + seed;
      assertEquals(spec.totalPoints(), total.read(), with);
      assertTrue(total.balanced(), with + ", " + total);
      assertEquals(
          spec.totalPoints(), stored(store).values().stream().mapToLong(Map::size).sum(), with);
      assertEquals(List.of(), twice(store), with);
    }
  }

  @Test
  void stoppedWhileAQueueIsFullItStillEnds() throws Exception {
    // The sink holds the one shard until the reader waits for a place in the queue.
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    AtomicReference<@Nullable LoadPipeline> running = new AtomicReference<>();
    CellSink waiting =
        new CellSink() {
          @Override
          public void write(CellWrite cell) {
            Thread reading = reader.get();
            LoadPipeline load = running.get();
            while (stopped.getCount() > 0
                && reading != null
                && reading.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            if (load != null) {
              load.stop();
              stopped.countDown();
            }
          }

          @Override
          public void flush() {}

          @Override
          public long acknowledgedPoints() {
            return 0;
          }

          @Override
          public void close() {}
        };
    ScriptedSource source =
        new ScriptedSource(
            1, 1, Integer.MAX_VALUE, -1, () -> reader.compareAndSet(null, Thread.currentThread()));
    LoadPipeline pipeline = pipeline(resolver(), () -> waiting);
    running.set(pipeline);
    pipeline.run(source, source.names(), 1, SMALL);
    assertTrue(stopped.await(1, TimeUnit.SECONDS));
    assertTrue(pipeline.stopped());
  }

  @Test
  void slicesStopMidWayToo() throws Exception {
    WalkSpec spec = new WalkSpec("m", 2, 1000, ScriptedSource.BASE, 1_000_000_000L, 1);
    FaultySink.Store store = new FaultySink.Store();
    LoadPipeline pipeline =
        pipeline(resolved(spec), () -> new FaultySink(store, Fault.NEVER, 0, true, 1));
    List<PointSource> slices = new ArrayList<>(slices(spec, 2));
    AtomicInteger batches = new AtomicInteger();
    slices.add(
        new PointSource() {
          @Override
          public @Nullable PointBatch next() {
            if (store.storedPoints() > 0 && batches.getAndIncrement() == 3) {
              pipeline.stop();
            }
            return new PointBatch(1);
          }

          @Override
          public void close() {}
        });
    pipeline.runSlices(slices, SealPolicy.IN_ORDER);
    LoadCounts counts = pipeline.counts();
    assertEquals(counts.packed(), counts.acknowledged());
    assertEquals(counts.acknowledged(), store.storedPoints());
    assertTrue(counts.read() < spec.totalPoints());
    assertEquals(List.of(), store.complaints());
  }

  @Test
  void anInterruptEndsTheThreadsBeforeTheSinksAreClosed() {
    WalkSpec spec = new WalkSpec("m", 2, 1000, ScriptedSource.BASE, 1_000_000_000L, 1);
    FaultySink.Store store = new FaultySink.Store();
    Thread caller = Thread.currentThread();
    LoadPipeline pipeline =
        pipeline(
            unchecked(() -> resolved(spec)), () -> new FaultySink(store, Fault.NEVER, 0, false, 1));
    List<PointSource> slices = new ArrayList<>(slices(spec, 2));
    AtomicInteger batches = new AtomicInteger();
    slices.add(
        new PointSource() {
          @Override
          public PointBatch next() {
            if (store.storedPoints() > 0 && batches.getAndIncrement() == 3) {
              caller.interrupt();
            }
            return new PointBatch(1);
          }

          @Override
          public void close() {}
        });
    assertThrows(InterruptedException.class, () -> pipeline.runSlices(slices, SealPolicy.IN_ORDER));
    assertEquals(List.of(), store.complaints());
    assertEquals(0, store.open());
    assertEquals(store.acknowledgedPoints(), pipeline.counts().acknowledged());
  }

  @Test
  void aShardInterruptedFromOutsideIsAFailure() {
    ScriptedSource source = new ScriptedSource(3, 20, 25, -1, () -> {});
    FaultySink.Store store = new FaultySink.Store();
    AtomicInteger opened = new AtomicInteger();
    LoadPipeline pipeline =
        pipeline(
            resolver(),
            () -> {
              CellSink sink = new FaultySink(store, Fault.NEVER, 0, false, 1);
              return opened.getAndIncrement() == 0
                  ? new Hooked(sink, () -> Thread.currentThread().interrupt())
                  : sink;
            });
    assertThrows(
        java.io.InterruptedIOException.class, () -> pipeline.run(source, source.names(), 2, SMALL));
    assertEquals(0, store.open());
  }

  private interface Hook {
    void run() throws InterruptedException;
  }

  /** Runs something on the writing thread before each cell. */
  private record Hooked(CellSink sink, Hook beforeCell) implements CellSink {
    @Override
    public void write(CellWrite cell) throws IOException, InterruptedException {
      beforeCell.run();
      sink.write(cell);
    }

    @Override
    public void flush() throws IOException, InterruptedException {
      sink.flush();
    }

    @Override
    public long acknowledgedPoints() {
      return sink.acknowledgedPoints();
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }

  private static SeriesResolver resolved(WalkSpec spec) throws IOException {
    SeriesNames names = new SeriesNames();
    for (int series = 0; series < spec.sensors(); series++) {
      names.intern(spec.seriesName(series));
    }
    SeriesResolver resolver = resolver();
    resolver.resolveAll(names);
    return resolver;
  }

  private interface Checked<T> {
    T get() throws IOException;
  }

  private static <T> T unchecked(Checked<T> value) {
    try {
      return value.get();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<GeneratedSource> slices(WalkSpec spec, int count) {
    List<GeneratedSource> slices = new ArrayList<>();
    for (int slice = 0; slice < count; slice++) {
      slices.add(new GeneratedSource(spec, slice, count));
    }
    return slices;
  }

  private static Map<Tsuid, Map<Long, Long>> bySeries(
      ScriptedSource source, SeriesResolver resolver) {
    Map<Tsuid, Map<Long, Long>> points = new HashMap<>();
    source
        .model()
        .forEach(
            (SeriesName name, Map<Long, Long> values) ->
                points.put(resolver.tsuid(source.names().intern(name)), values));
    return points;
  }

  private static Map<Tsuid, Map<Long, Long>> stored(FaultySink.Store store) throws Exception {
    Map<Tsuid, Map<Long, Long>> points = new HashMap<>();
    RowPoints reader = new RowPoints();
    for (StoredRow row : CellRows.of(LAYOUT, store.cells()).rows()) {
      PointBlock block = reader.of(row);
      long base = LAYOUT.baseTimeSeconds(row.rowKey()) * 1000;
      Map<Long, Long> series =
          points.computeIfAbsent(LAYOUT.tsuid(row.rowKey()), t -> new TreeMap<>());
      for (int i = 0; i < block.count(); i++) {
        series.put(base + block.offsetsMs()[i], block.values()[i]);
      }
    }
    return points;
  }

  /** Values are unique, so a stored point is one that the source gave, at its time. */
  private static void assertHoldsOnlyPointsOf(
      ScriptedSource source, SeriesResolver resolver, FaultySink.Store store, String with)
      throws Exception {
    Map<Tsuid, Map<Long, Long>> given = bySeriesResolved(source, resolver);
    for (Map.Entry<Tsuid, Map<Long, Long>> series : stored(store).entrySet()) {
      Map<Long, Long> wanted = given.getOrDefault(series.getKey(), Map.of());
      assertTrue(wanted.keySet().containsAll(series.getValue().keySet()), with);
    }
  }

  /** A load that ends early may have met series it has not resolved. */
  private static Map<Tsuid, Map<Long, Long>> bySeriesResolved(
      ScriptedSource source, SeriesResolver resolver) throws IOException {
    resolver.resolveAll(source.names());
    return bySeries(source, resolver);
  }
}
