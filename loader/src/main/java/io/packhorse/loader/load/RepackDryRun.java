package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.loader.repack.LeftRows;
import io.packhorse.loader.repack.PackRows;
import io.packhorse.loader.repack.RepackCount;
import io.packhorse.loader.repack.RepackCounts;
import io.packhorse.loader.repack.RowPacker;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;

/**
 * Packs stored rows and stores nothing: all of them, or those of some hours that stand for all. One
 * thread.
 */
final class RepackDryRun {
  /** Beyond so many metrics and salt buckets, finding the first and last hour takes too long. */
  private static final int EDGES_MAX = 4_096;

  private final StoreConnection from;
  private final PointSelection wanted;
  private final LoaderId loader;
  private final Announcer announcer;
  private final Optional<String> pattern;
  private final RepackCounts live = new RepackCounts();
  private final List<String> left = new ArrayList<>();

  /**
   * @param from stays the caller's
   * @param wanted whole hours
   * @param margin columns written less than this ago are left alone
   */
  RepackDryRun(StoreConnection from, PointSelection wanted, Duration margin, Announcer announcer)
      throws IOException {
    this.from = from;
    this.wanted = wanted;
    this.loader =
        new LoaderId(PackedQualifier.MAX_LOADER_ID, System.currentTimeMillis() - margin.toMillis());
    this.announcer = announcer;
    this.pattern = wanted.pattern(from);
  }

  /**
   * Reads and packs.
   *
   * @param sampleHours how many hours are read if there are more; 0 for all of them
   */
  Repack.Result run(int sampleHours) throws IOException, InterruptedException, ExecutionException {
    Optional<HourSample> sample = sampleHours == 0 ? Optional.empty() : sample(sampleHours);
    if (sample.isEmpty()) {
      pack(wanted.parts(from));
    }
    return new Repack.Result(
        Optional.empty(),
        JobState.OPEN,
        sample.map(HourSample::estimate).orElse(live),
        left,
        Optional.empty(),
        sample);
  }

  /** Empty if there are no more hours than that, or they cannot be counted. */
  private Optional<HourSample> sample(int most)
      throws IOException, InterruptedException, ExecutionException {
    List<KeyRange> ranges = wanted.ranges(from);
    if (ranges.size() > EDGES_MAX) {
      return Optional.empty();
    }
    OptionalLong first = OptionalLong.empty();
    OptionalLong last = OptionalLong.empty();
    for (KeyRange range : ranges) {
      OptionalLong low = hour(from.rows().edge(range, false));
      OptionalLong high = hour(from.rows().edge(range, true));
      if (low.isPresent() && high.isPresent()) {
        first = OptionalLong.of(Math.min(low.getAsLong(), first.orElse(Long.MAX_VALUE)));
        last = OptionalLong.of(Math.max(high.getAsLong(), last.orElse(0)));
      }
    }
    if (first.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    long hours = (last.getAsLong() - first.getAsLong()) / BaseTime.HOUR_SECONDS + 1;
    return hours <= most
        ? Optional.empty()
        : Optional.of(new HourSample(hours, pack(hours(first.getAsLong(), hours, most))));
  }

  private OptionalLong hour(Optional<byte[]> rowKey) {
    try {
      return rowKey.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(from.layout().rowKeys().baseTimeSeconds(rowKey.get()));
    } catch (MalformedCellException noRowOfPoints) {
      return OptionalLong.empty();
    }
  }

  private List<List<KeyRange>> hours(long firstSeconds, long hours, int most) throws IOException {
    List<List<KeyRange>> parts = new ArrayList<>(most);
    for (long chosen : HourSample.choose(hours, most, firstSeconds)) {
      Instant begin = Instant.ofEpochSecond(firstSeconds + chosen * BaseTime.HOUR_SECONDS);
      parts.add(
          new PointSelection(
                  wanted.metrics(),
                  wanted.tags(),
                  Optional.of(begin),
                  Optional.of(begin.plusSeconds(BaseTime.HOUR_SECONDS)))
              .ranges(from));
    }
    return parts;
  }

  private List<long[]> pack(List<List<KeyRange>> parts)
      throws IOException, InterruptedException, ExecutionException {
    LeftRows examples =
        column -> {
          synchronized (left) {
            left.add(column.line().strip());
          }
        };
    return new PartRun(parts, Optional.empty())
        .run(
            announcer,
            "dry run",
            () -> HumanNumbers.count(live.get(RepackCount.POINTS), "point", "points"),
            (part, ranges) -> {
              RepackCounts counts = new RepackCounts(live);
              RowPacker packer = new RowPacker(from.layout().rowKeys(), loader);
              from.rows()
                  .scan(
                      new RowSelection(ranges, pattern),
                      new PackRows(packer, cell -> {}, examples, counts));
              return counts.toArray();
            });
  }
}
