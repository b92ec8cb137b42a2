package io.packhorse.loader.load;

import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.read.KeyPattern;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which stored points are wanted.
 *
 * @param metrics names; none for all
 * @param tags values by tag key that a series must have one of; no values for any value
 * @param from first time; empty for the beginning
 * @param to time after the last; empty for the end
 */
public record PointSelection(
    List<String> metrics,
    SortedMap<String, List<String>> tags,
    Optional<Instant> from,
    Optional<Instant> to) {
  private static final long END_MS = RowKeyLayout.END_OF_TIME * 1000;

  /** First time, milliseconds since 1970. */
  long fromMs() {
    return from.map(Instant::toEpochMilli).orElse(0L);
  }

  /** Time after the last, milliseconds since 1970. */
  long toMs() {
    return to.map(Instant::toEpochMilli).orElse(END_MS);
  }

  /**
   * Checks the times.
   *
   * @param end the option that names the end
   * @throws OperationException USAGE
   */
  void check(String end) {
    if (fromMs() < 0 || fromMs() >= toMs() || toMs() > END_MS) {
      throw new OperationException(
          Kind.USAGE, "--from must be before " + end + ", both of them from 1970 to 2106.");
    }
  }

  /**
   * A loader's part: as many hours as every other part has, or one more, beside each other. All
   * parts together are the whole, whatever regions are split or moved while they are worked on.
   *
   * @param shard which part; the whole is this selection
   * @param end the option that names the end
   * @throws OperationException USAGE if the times are not both named, or there are too few hours
   */
  public PointSelection shard(JobShard shard, String end) {
    if (shard.isWhole()) {
      return this;
    }
    check(end);
    if (from.isEmpty() || to.isEmpty()) {
      throw new OperationException(
          Kind.USAGE,
          "--shard cuts the hours between --from and "
              + end
              + ": name both, the same in all shards.");
    }
    long first = fromMs() / BaseTime.HOUR_MS;
    long hours = (toMs() + BaseTime.HOUR_MS - 1) / BaseTime.HOUR_MS - first;
    if (hours < shard.count()) {
      throw new OperationException(
          Kind.USAGE,
          "There are "
              + hours
              + " hours between --from and "
              + end
              + ", fewer than the "
              + shard.count()
              + " shards: each needs one.");
    }
    long begin = (first + hours * (shard.number() - 1) / shard.count()) * BaseTime.HOUR_MS;
    long after = (first + hours * shard.number() / shard.count()) * BaseTime.HOUR_MS;
    return new PointSelection(
        metrics,
        tags,
        Optional.of(Instant.ofEpochMilli(Math.max(fromMs(), begin))),
        Optional.of(Instant.ofEpochMilli(Math.min(toMs(), after))));
  }

  /** What row keys must match, beside the ranges; empty for all. */
  Optional<String> pattern(StoreConnection store) throws IOException {
    return tags.isEmpty()
        ? Optional.empty()
        : Optional.of(KeyPattern.of(store.layout().rowKeys(), tagUids(store)));
  }

  /** The row keys wanted in each region that may have some. */
  List<List<KeyRange>> parts(StoreConnection store) throws IOException {
    List<KeyRange> ranges = ranges(store);
    List<List<KeyRange>> parts = new ArrayList<>();
    for (KeyRange region : store.rows().regions()) {
      List<KeyRange> inside = new ArrayList<>();
      ranges.forEach(range -> range.intersect(region).ifPresent(inside::add));
      if (!inside.isEmpty()) {
        parts.add(inside);
      }
    }
    return parts;
  }

  /** The row keys wanted, rising; one range of the whole table if all are. */
  List<KeyRange> ranges(StoreConnection store) throws IOException {
    if (metrics.isEmpty() && from.isEmpty() && to.isEmpty()) {
      return List.of(new KeyRange(new byte[0], new byte[0]));
    }
    RowKeyLayout layout = store.layout().rowKeys();
    long firstHour = BaseTime.ofSeconds(fromMs() / 1000);
    long endHour = ((toMs() - 1) / BaseTime.HOUR_MS + 1) * BaseTime.HOUR_SECONDS;
    List<Long> uids = metricUids(store);
    if (uids.isEmpty()) {
      uids = store.uidNames().all(UidKind.METRIC).keySet().stream().sorted().toList();
    }
    List<KeyRange> ranges = new ArrayList<>();
    for (int bucket = 0; bucket < layout.salt().buckets(); bucket++) {
      for (long metric : uids) {
        ranges.add(
            new KeyRange(
                layout.scanStart(bucket, metric, firstHour),
                layout.scanStop(bucket, metric, endHour)));
      }
    }
    return ranges;
  }

  /** UIDs of the metrics, rising; none for all. */
  List<Long> metricUids(StoreConnection store) throws IOException {
    SortedSet<Long> uids = new TreeSet<>();
    for (String name : metrics) {
      uids.add(uid(store, UidKind.METRIC, name, "--metric"));
    }
    return List.copyOf(uids);
  }

  private SortedMap<Long, List<Long>> tagUids(StoreConnection store) throws IOException {
    SortedMap<Long, List<Long>> uids = new TreeMap<>();
    for (Map.Entry<String, List<String>> tag : tags.entrySet()) {
      List<Long> values = new ArrayList<>();
      for (String value : tag.getValue()) {
        values.add(uid(store, UidKind.TAGV, value, "--where"));
      }
      uids.put(uid(store, UidKind.TAGK, tag.getKey(), "--where"), values);
    }
    return uids;
  }

  private static long uid(StoreConnection store, UidKind kind, String name, String option)
      throws IOException {
    OptionalLong uid = store.knownUids().find(kind, name);
    String what =
        switch (kind) {
          case METRIC -> "metric";
          case TAGK -> "tag";
          case TAGV -> "tag value";
        };
    return uid.orElseThrow(
        () ->
            new OperationException(
                Kind.USAGE, "The store has no " + what + " " + name + ": correct " + option + "."));
  }
}
