package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Points of many series in an order that follows from the seed: mostly rising, some late, some
 * twice; new series turn up on the way. Remembers what a store should hold in the end.
 */
final class ScriptedSource implements PointSource {
  static final long BASE = 1_704_067_200;

  private final SeriesNames names = new SeriesNames();
  private final SplittableRandom random;
  private final int seriesMax;
  private final int batches;
  private final int failAt;
  private final PointBatch batch = new PointBatch(1);
  private final Map<SeriesName, Map<Long, Long>> model = new HashMap<>();
  private final Runnable eachBatch;
  private int given;
  private long points;
  private long clockMs = BASE * 1000;

  /**
   * @param failAt batch in place of which reading fails, or -1
   * @param eachBatch runs before each batch, on the thread that reads
   */
  ScriptedSource(long seed, int seriesMax, int batches, int failAt, Runnable eachBatch) {
    this.random = new SplittableRandom(seed);
    this.seriesMax = seriesMax;
    this.batches = batches;
    this.failAt = failAt;
    this.eachBatch = eachBatch;
  }

  SeriesNames names() {
    return names;
  }

  /** Value by time in milliseconds, by series; the last arrival of each time. */
  Map<SeriesName, Map<Long, Long>> model() {
    return model;
  }

  long points() {
    return points;
  }

  @Override
  public @Nullable PointBatch next() throws IOException {
    eachBatch.run();
    if (given == failAt) {
      throw new IOException("input cannot be read");
    }
    if (given == batches) {
      return null;
    }
    given++;
    batch.clear();
    int size = 1 + random.nextInt(3000);
    for (int i = 0; i < size; i++) {
      clockMs += random.nextLong(20_000) / seriesMax * (1 + random.nextInt(4));
      long time = random.nextInt(40) == 0 ? BASE * 1000 + random.nextInt(3600) * 1000L : clockMs;
      SeriesName name = SeriesName.of("m", "host", "h" + random.nextInt(seriesMax));
      batch.add(names.intern(name), time, ++points, false);
      model.computeIfAbsent(name, n -> new TreeMap<>()).put(time, points);
    }
    return batch;
  }

  /** Batches read so far. */
  @Override
  public Optional<SourcePosition> position() {
    return Optional.of(new SourcePosition(0, given, 0));
  }

  /** Moves to a position of a source of the same seed. */
  ScriptedSource at(SourcePosition position) throws IOException {
    while (given < position.offset()) {
      next();
    }
    return this;
  }

  @Override
  public void close() {}
}
