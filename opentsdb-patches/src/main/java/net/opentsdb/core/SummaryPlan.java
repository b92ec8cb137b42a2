package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.summary.SummaryValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import net.opentsdb.utils.LimitedLogger;
import org.hbase.async.Bytes;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a query uses summaries: months, days and hours of a series that lie in one interval of the
 * query and in its time range are added to the interval as they are; only what is left is read from
 * rows ({@link SummaryRows}).
 *
 * <p>One a query, any thread.
 */
@NullMarked
final class SummaryPlan {
  private static final Logger LOG = LimitedLogger.of(LoggerFactory.getLogger(SummaryPlan.class));

  /** Shorter questions are answered from rows as fast. */
  private static final int HOURS_MIN = 48;

  /** From this length on, months are asked for before days. */
  private static final int HOURS_OF_MONTHS = 60 * 24;

  private static final long DAY_MS = 24L * BaseTime.HOUR_MS;

  /** Compared by identity. */
  private static final byte[] FAMILY = {'s', 'u', 'm', 'm', 'a', 'r', 'y'};

  private static final byte[] NO_QUALIFIER = {0};

  private final HBaseClient client;
  private final byte[] dataTable;
  private final byte[] table;
  private final Shape shape;
  private final List<SummaryLevel> levels;
  private final HourRanges claimed;
  private final Set<Integer> claimants;
  private final LongAdder failures;
  private final Supplier<Deferred<StoreState>> states;
  private final long summaries;

  /** The series whose intervals were begun from summaries; rows that name one have its index. */
  private final List<SummaryBuckets> begun = new ArrayList<>();

  private boolean ended;

  /**
   * What a query makes of points.
   *
   * @param function null if the points themselves are wanted
   * @param filter of the points; null to keep all
   * @param intervals null if statistics cannot fill them
   * @param fromMs time of the first point to take, in milliseconds since the epoch
   * @param toMs time after the last one
   * @param fromSeconds base time of the first row to read
   * @param toSeconds base time after the last one
   */
  record Shape(
      IntervalFold.@Nullable Function function,
      @Nullable ValueFilter filter,
      @Nullable SummaryIntervals intervals,
      long fromMs,
      long toMs,
      long fromSeconds,
      long toSeconds) {
    private long hours() {
      return (toSeconds - fromSeconds) / BaseTime.HOUR_SECONDS;
    }

    /** Whether statistics can be added to the intervals; else they only prove rows away. */
    boolean folds() {
      return function != null && intervals != null && intervals.hold(BaseTime.HOUR_MS);
    }

    private boolean fits() {
      return hours() >= HOURS_MIN && (filter != null || folds());
    }

    private List<SummaryLevel> levels() {
      if (filter != null || intervals == null || intervals.isAll()) {
        return hours() >= HOURS_OF_MONTHS ? List.of(SummaryLevel.MONTH) : List.of(SummaryLevel.DAY);
      }
      return intervals.hold(DAY_MS)
          ? List.of(SummaryLevel.DAY)
          : List.of(SummaryLevel.DAY, SummaryLevel.HOUR);
    }

    /** What has to be known of statistics. */
    Set<SummaryValue> values() {
      Set<SummaryValue> values = EnumSet.noneOf(SummaryValue.class);
      if (filter != null) {
        values.add(SummaryValue.MIN);
        values.add(SummaryValue.MAX);
      }
      if (function != null && folds()) {
        values.addAll(values(function));
      }
      return values;
    }

    private static Set<SummaryValue> values(IntervalFold.Function function) {
      return switch (function) {
        case SUM, AVG -> EnumSet.of(SummaryValue.SUM);
        case MIN -> EnumSet.of(SummaryValue.MIN);
        case MAX -> EnumSet.of(SummaryValue.MAX);
        case COUNT -> EnumSet.noneOf(SummaryValue.class);
        default -> EnumSet.of(SummaryValue.FIRST, SummaryValue.LAST);
      };
    }
  }

  private SummaryPlan(
      HBaseClient client,
      String dataTable,
      Shape shape,
      HourRanges claimed,
      Set<Integer> claimants,
      LongAdder failures,
      Supplier<Deferred<StoreState>> states,
      long summaries) {
    this.client = client;
    this.dataTable = dataTable.getBytes(StandardCharsets.UTF_8);
    this.table = SummaryTable.of(dataTable).getBytes(StandardCharsets.UTF_8);
    this.shape = shape;
    this.levels = shape.levels();
    this.claimed = claimed;
    this.claimants = claimants;
    this.failures = failures;
    this.states = states;
    this.summaries = summaries;
  }

  /**
   * The plan of a query; null if it is better answered from rows.
   *
   * @param shape null if the query needs points
   * @param states reads the state again
   * @param failures counts salt buckets that were read in spite of summaries
   */
  static @Nullable SummaryPlan of(
      HBaseClient client,
      String dataTable,
      StoreState state,
      byte[] metric,
      @Nullable Shape shape,
      Supplier<Deferred<StoreState>> states,
      LongAdder failures) {
    if (shape == null || state.summaries() == 0 || !shape.fits()) {
      return null;
    }
    HourRanges claimed = new HourRanges(shape.fromSeconds(), shape.toSeconds());
    for (SummaryClaim claim : state.claims()) {
      if (claim.has(metric)) {
        claimed.add(claim.fromSeconds(), claim.toSeconds());
      }
    }
    return 2L * claimed.size() > shape.hours()
        ? null
        : new SummaryPlan(
            client,
            dataTable,
            shape,
            claimed,
            state.claimants(),
            failures,
            states,
            state.summaries());
  }

  HBaseClient client() {
    return client;
  }

  byte[] dataTable() {
    return dataTable;
  }

  /** Name of the summary table. */
  byte[] table() {
    return table;
  }

  Shape shape() {
    return shape;
  }

  /** Levels to read at first, coarse ones before finer ones. */
  List<SummaryLevel> levels() {
    return levels;
  }

  /** Hours that summaries do not answer for. */
  HourRanges claimed() {
    return claimed;
  }

  /** Whether blocks of a loader count. */
  boolean counts(int loaderId) {
    return !claimants.contains(loaderId);
  }

  /** Empty intervals of a series. */
  SummaryBuckets newBuckets() {
    return new SummaryBuckets(
        Objects.requireNonNull(shape.function()), Objects.requireNonNull(shape.intervals()));
  }

  /** Whether an entry of a level is in one interval of the query. */
  boolean takes(SummaryLevel level) {
    SummaryIntervals intervals = shape.intervals();
    return shape.folds()
        && intervals != null
        && (intervals.isAll()
            || level == SummaryLevel.HOUR
            || (level == SummaryLevel.DAY && intervals.hold(DAY_MS)));
  }

  /** Whether a run of points can be added to the intervals by its statistics. */
  boolean takes(CellStatistics all, long firstMs, long lastMs, SummaryBuckets into) {
    return firstMs >= shape.fromMs() && lastMs < shape.toMs() && into.takes(all);
  }

  /** A row that names a series whose intervals were begun; it goes through filters as others do. */
  KeyValue row(byte[] key, SummaryBuckets buckets) {
    int index;
    synchronized (begun) {
      checkRunning();
      index = begun.size();
      begun.add(buckets);
    }
    return new KeyValue(key, FAMILY, NO_QUALIFIER, Bytes.fromInt(index));
  }

  /** Whether a row names such a series. */
  static boolean matches(KeyValue row) {
    return row.family() == FAMILY;
  }

  /** The intervals of such a series. */
  SummaryBuckets begun(KeyValue row) {
    synchronized (begun) {
      checkRunning();
      return begun.get(Bytes.getInt(row.value()));
    }
  }

  private void checkRunning() {
    if (ended) {
      throw new IllegalStateException("the query has been answered");
    }
  }

  /** Forgets all intervals; the query has been answered. */
  void end() {
    synchronized (begun) {
      ended = true;
      begun.clear();
    }
  }

  /**
   * Checks, when blocks have been read, that nobody has dropped summaries meanwhile: what was
   * missing would look like hours without points.
   *
   * @return completes with an error if they were dropped
   */
  Deferred<Object> check() {
    return states
        .get()
        .addCallback(
            state -> {
              if (state.summaries() != summaries) {
                throw new IllegalStateException("the summaries were dropped while they were read");
              }
              return null;
            });
  }

  /** Says that summaries of a query could not be used. */
  void failed(Exception e) {
    failures.increment();
    LOG.warn(
        "The summaries in "
            + new String(table, StandardCharsets.UTF_8)
            + " cannot be used, a query reads the cells",
        e);
  }
}
