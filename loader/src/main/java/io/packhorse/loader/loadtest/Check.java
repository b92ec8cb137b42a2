package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * Checks answers against the values that were written. A value at any time must be the one that
 * follows from the seed; a point that was acknowledged early enough must be there. Any number of
 * threads.
 */
final class Check {
  /** Values computed for one answer, at most; an answer that needs more is not checked. */
  private static final long VALUES_MAX = 2_000_000;

  private static final String OF_HISTORY =
      " is missing: write the history with packhorse loadtest fill FILE";

  private static final double TOLERANCE = 1e-9;

  private final Workload workload;
  private final Schedule schedule;
  private final Acknowledged acknowledged;

  /** What an answer is. */
  enum Finding {
    RIGHT,
    WRONG,
    /** It cannot be said: a write in its range has failed, or it is too large. */
    UNCHECKED
  }

  /**
   * What was found.
   *
   * @param sentence what is wrong; empty if nothing is
   */
  record Found(Finding finding, String sentence) {
    static final Found RIGHT = new Found(Finding.RIGHT, "");
    static final Found UNCHECKED = new Found(Finding.UNCHECKED, "");

    static Found wrong(String sentence) {
      return new Found(Finding.WRONG, sentence);
    }
  }

  /**
   * A query.
   *
   * @param series those that can be asked for: of history or of this test
   * @param metric index of it
   * @param fromTick first interval
   * @param toTick last interval, all of whose points must be there
   */
  record Query(
      Reader reader,
      WorkloadSeries series,
      int metric,
      Map<String, String> where,
      long fromTick,
      long toTick) {}

  /**
   * A series of an answer.
   *
   * @param points by time, milliseconds since 1970
   */
  record Line(Map<String, String> tags, NavigableMap<Long, Double> points) {}

  Check(Workload workload, Schedule schedule, Acknowledged acknowledged) {
    this.workload = workload;
    this.schedule = schedule;
    this.acknowledged = acknowledged;
  }

  Found of(Query query, List<Line> answer) {
    List<Integer> matching = query.series().matching(query.metric(), query.where());
    // What was written just before this test, with another seed perhaps, is not its business.
    long from =
        query.reader().ofHistory()
            ? query.fromTick()
            : Math.max(query.fromTick(), schedule.firstTick());
    long ticks = query.toTick() - from + 1;
    if (ticks <= 0 || ticks * matching.size() > VALUES_MAX) {
      return Found.UNCHECKED;
    }
    boolean plain =
        query.reader().aggregator().equals("none") && query.reader().downsample().isEmpty();
    return plain
        ? points(query, from, matching, answer)
        : aggregated(query, from, matching, answer);
  }

  private Found points(Query query, long from, List<Integer> matching, List<Line> answer) {
    long found = 0;
    for (Line line : answer) {
      int of = query.series().of(query.metric(), line.tags());
      if (of < 0) {
        return Found.wrong("a series that was not asked for: " + line.tags());
      }
      for (Map.Entry<Long, Double> point : line.points().entrySet()) {
        long tick = Math.floorDiv(point.getKey(), workload.interval().toMillis());
        if (tick < from || tick > query.toTick()) {
          continue;
        }
        double expected = value(query.series(), of, tick);
        if (schedule.tickMs(tick) != point.getKey() || point.getValue() != expected) {
          return Found.wrong(
              query.series().name(of)
                  + " at "
                  + point.getKey()
                  + ": "
                  + point.getValue()
                  + ", not "
                  + expected);
        }
        found++;
      }
    }
    if (found == (query.toTick() - from + 1) * matching.size()) {
      return Found.RIGHT;
    }
    Found missing = missing(query, from, matching, answer);
    return missing.finding() == Finding.RIGHT && found == 0 ? Found.UNCHECKED : missing;
  }

  private Found missing(Query query, long from, List<Integer> matching, List<Line> answer) {
    for (int of : matching) {
      Optional<Line> line = lineOf(query, of, answer);
      for (long tick = from; tick <= query.toTick(); tick++) {
        long at = schedule.tickMs(tick);
        boolean there = line.map(each -> each.points().containsKey(at)).orElse(false);
        if (there) {
          continue;
        }
        if (query.reader().ofHistory()) {
          return Found.wrong(query.series().name(of) + " at " + at + OF_HISTORY);
        }
        long batch = schedule.batch(of, tick);
        if (batch >= 0 && acknowledged.isAcknowledged((int) batch)) {
          return Found.wrong(
              query.series().name(of) + " at " + at + " was acknowledged and is missing");
        }
      }
    }
    return Found.RIGHT;
  }

  private Found aggregated(Query query, long asked, List<Integer> matching, List<Line> answer) {
    // During the ramp, some series have no points yet.
    long from = query.reader().ofHistory() ? asked : Math.max(asked, schedule.firstFullTick());
    if (from > query.toTick()
        || (!query.reader().ofHistory() && !areAcknowledged(from, query.toTick()))) {
      return Found.UNCHECKED;
    }
    String[] downsample = query.reader().downsample().split("-", -1);
    long bucketMs = downsample.length == 2 ? spanMs(downsample[0]) : workload.interval().toMillis();
    String inBucket = downsample.length == 2 ? downsample[1] : "max";
    boolean each = query.reader().aggregator().equals("none");
    long fromMs = schedule.tickMs(from);
    long toMs = schedule.tickMs(query.toTick() + 1);
    Found found = Found.UNCHECKED;
    for (long bucket = Math.floorDiv(fromMs + bucketMs - 1, bucketMs) * bucketMs;
        bucket + bucketMs <= toMs && found.finding() != Finding.WRONG;
        bucket += bucketMs) {
      double all = Double.NaN;
      for (int of : matching) {
        double value = bucket(query.series(), of, bucket, bucketMs, inBucket);
        if (each && found.finding() != Finding.WRONG) {
          found = compare(query, bucket, value, lineOf(query, of, answer));
        }
        all =
            Double.isNaN(all) ? value : fold(query.reader().aggregator()).applyAsDouble(all, value);
      }
      if (!each) {
        double expected = query.reader().aggregator().equals("avg") ? all / matching.size() : all;
        found = compare(query, bucket, expected, answer.stream().findFirst());
      }
    }
    return found;
  }

  private boolean areAcknowledged(long from, long to) {
    return acknowledged.areAcknowledged(
        (int) schedule.firstBatch(from), (int) schedule.firstBatch(to + 1));
  }

  private static Optional<Line> lineOf(Query query, int of, List<Line> answer) {
    return answer.stream()
        .filter(line -> query.series().of(query.metric(), line.tags()) == of)
        .findFirst();
  }

  private static Found compare(Query query, long atMs, double expected, Optional<Line> line) {
    Double found = line.map(each -> each.points().get(atMs)).orElse(null);
    if (found == null || Math.abs(found - expected) > TOLERANCE * Math.max(1, Math.abs(expected))) {
      return Found.wrong(
          query.reader().name()
              + " "
              + query.where()
              + " at "
              + atMs
              + ": "
              + found
              + ", not "
              + expected
              + (found == null && query.reader().ofHistory() ? OF_HISTORY : ""));
    }
    return Found.RIGHT;
  }

  private double bucket(
      WorkloadSeries series, int of, long bucketMs, long widthMs, String function) {
    long intervalMs = workload.interval().toMillis();
    double all = Double.NaN;
    int count = 0;
    for (long at = Math.floorDiv(bucketMs + intervalMs - 1, intervalMs) * intervalMs;
        at < bucketMs + widthMs;
        at += intervalMs) {
      double value = value(series, of, at / intervalMs);
      all = Double.isNaN(all) ? value : fold(function).applyAsDouble(all, value);
      count++;
    }
    return function.equals("avg") ? all / count : all;
  }

  private static DoubleBinaryOperator fold(String function) {
    return switch (function) {
      case "min" -> Math::min;
      case "max" -> Math::max;
      default -> Double::sum;
    };
  }

  private double value(WorkloadSeries series, int of, long tick) {
    WorkloadValues values = workload.values();
    return values.value(values.mantissa(WorkloadValues.key(workload.seed(), series, of), tick));
  }

  private static long spanMs(String span) {
    long number = Long.parseLong(span.substring(0, span.length() - 1));
    return switch (span.charAt(span.length() - 1)) {
      case 's' -> number * 1000;
      case 'm' -> number * 60_000;
      case 'h' -> number * 3_600_000;
      default -> number * 86_400_000;
    };
  }
}
