package net.opentsdb.core;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.summary.SummaryBlock;
import io.packhorse.schema.summary.SummaryEntries;
import io.packhorse.schema.summary.SummaryLevel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * One series of a query that uses summaries: adds to its intervals what summaries answer for, level
 * by level, and says what has to be read from finer levels and from rows.
 *
 * <p>For one thread at a time.
 */
@NullMarked
final class SummarySeries {
  /** A cell of fewer points has no statistics of its own, and its hour no entry. */
  private static final int POINTS_OF_HOUR = 256;

  private static final ThreadLocal<SummaryBlock> CODE = ThreadLocal.withInitial(SummaryBlock::new);

  private final SummaryPlan plan;
  private final byte[] tags;
  private final HourRanges live;
  private final HourRanges rows;

  /** Hours that are wanted of the level that is read next; null for all. */
  private @Nullable HourRanges wanted;

  /** Rows of that level. */
  private final TreeSet<Long> wantedRows = new TreeSet<>();

  /** By level and base time of their row. */
  private final Map<SummaryLevel, Map<Long, List<byte[]>>> blocks =
      new EnumMap<>(SummaryLevel.class);

  private @Nullable SummaryBuckets buckets;

  /**
   * @param tags as in a row key
   */
  SummarySeries(SummaryPlan plan, byte[] tags) {
    this.plan = plan;
    this.tags = tags;
    this.live = hours();
    this.rows = hours();
  }

  private HourRanges hours() {
    return new HourRanges(plan.shape().fromSeconds(), plan.shape().toSeconds());
  }

  byte[] tags() {
    return tags;
  }

  /** Its intervals as far as summaries have filled them; null if they have not. */
  @Nullable SummaryBuckets buckets() {
    return buckets;
  }

  /** An hour that has columns of OpenTSDB's own. */
  void addLive(long hourSeconds) {
    live.add(hourSeconds, hourSeconds + BaseTime.HOUR_SECONDS);
    rows.add(hourSeconds, hourSeconds + BaseTime.HOUR_SECONDS);
  }

  /** A block of a level that is not resolved yet, of a row with this base time. */
  void addBlock(SummaryLevel level, long rowSeconds, byte[] block) {
    blocks
        .computeIfAbsent(level, of -> new HashMap<>())
        .computeIfAbsent(rowSeconds, row -> new ArrayList<>(1))
        .add(block);
  }

  /** Hours to be read from rows, those of claims left out. */
  HourRanges rows() {
    return rows;
  }

  /** Base times of the rows of the next level that have to be read. */
  Set<Long> wantedRows() {
    return wantedRows;
  }

  /**
   * Adds what the blocks of a level answer for; the rest is wanted of the next level, or of rows.
   *
   * @throws MalformedCellException if a block is damaged
   */
  void resolve(SummaryLevel level) throws MalformedCellException {
    HourRanges of = wanted;
    HourRanges finer = hours();
    wantedRows.clear();
    Map<Long, List<byte[]>> ofLevel = blocks.remove(level);
    if (ofLevel != null) {
      for (Map.Entry<Long, List<byte[]>> row : ofLevel.entrySet()) {
        resolve(level, row.getKey(), row.getValue(), of, finer);
      }
    }
    wanted = finer;
    if (level == SummaryLevel.HOUR && of != null) {
      // Hours without an entry are in rows alone.
      of.forEach(rows::add);
    }
  }

  private void resolve(
      SummaryLevel level, long row, List<byte[]> stored, @Nullable HourRanges of, HourRanges finer)
      throws MalformedCellException {
    List<SummaryEntries> all = new ArrayList<>(stored.size());
    for (byte[] block : stored) {
      SummaryEntries entries = new SummaryEntries();
      CODE.get().decode(level, block, plan.shape().values(), entries);
      all.add(entries);
    }
    BitSet once = new BitSet();
    BitSet twice = new BitSet();
    for (SummaryEntries entries : all) {
      for (int at = 0; at < entries.size(); at++) {
        (once.get(entries.index(at)) ? twice : once).set(entries.index(at));
      }
    }
    for (SummaryEntries entries : all) {
      for (int at = 0; at < entries.size(); at++) {
        int index = entries.index(at);
        long from = level.start(row, index);
        long to = level.start(row, index + 1);
        boolean asked = of == null || of.intersects(from, to);
        if (asked
            && !isPassedOver(entries, at)
            && (twice.get(index) || !take(level, entries, at, from, to))) {
          if (level == SummaryLevel.HOUR) {
            rows.add(from, to);
          } else {
            descend(level, entries, at, from, of, finer);
          }
        }
        if (asked && level == SummaryLevel.HOUR && of != null && !twice.get(index)) {
          of.remove(from, to);
        }
      }
    }
    if (level == SummaryLevel.DAY) {
      meet(all, twice, row, finer);
    }
  }

  /** Whether no point of an entry passes the query's filter. */
  private boolean isPassedOver(SummaryEntries entries, int at) {
    ValueFilter filter = plan.shape().filter();
    CellStatistics all = filter == null ? null : entries.statistics(at);
    if (filter == null || all == null || filter.of(all) != ValueFilter.Verdict.NONE_MATCHES) {
      return false;
    }
    ValueFilter.passedOver(all.count());
    return true;
  }

  /** Adds an entry if it answers for all of its time. */
  private boolean take(SummaryLevel level, SummaryEntries entries, int at, long from, long to) {
    CellStatistics all = entries.statistics(at);
    ValueFilter filter = plan.shape().filter();
    if (all == null
        || (filter != null && filter.of(all) != ValueFilter.Verdict.ALL_MATCH)
        || !plan.takes(level)
        || from < plan.shape().fromSeconds()
        || to > plan.shape().toSeconds()
        || live.intersects(from, to)
        || plan.claimed().intersects(from, to)) {
      return false;
    }
    SummaryBuckets into = buckets == null ? plan.newBuckets() : buckets;
    long firstMs = from * 1000 + entries.firstMs(at);
    long lastMs = from * 1000 + entries.lastMs(at);
    if (!plan.takes(all, firstMs, lastMs, into)) {
      return false;
    }
    into.add(all, firstMs, lastMs);
    buckets = into;
    return true;
  }

  /** Wants the parts of an entry from the next level, or from rows if that cannot have them. */
  private void descend(
      SummaryLevel level,
      SummaryEntries entries,
      int at,
      long from,
      @Nullable HourRanges of,
      HourRanges finer) {
    long partSeconds = level == SummaryLevel.MONTH ? 86_400 : BaseTime.HOUR_SECONDS;
    int parts = entries.parts(at);
    boolean few =
        level == SummaryLevel.DAY && entries.count(at) < POINTS_OF_HOUR * Integer.bitCount(parts);
    SummaryLevel next = level == SummaryLevel.MONTH ? SummaryLevel.DAY : SummaryLevel.HOUR;
    for (int left = parts; left != 0; left &= left - 1) {
      long start = from + Integer.numberOfTrailingZeros(left) * partSeconds;
      long end = start + partSeconds;
      if ((of == null || of.intersects(start, end))
          && start < plan.shape().toSeconds()
          && end > plan.shape().fromSeconds()) {
        if (few) {
          rows.add(start, end);
        } else {
          finer.add(start, end);
          wantedRows.add(next.row(start));
        }
      }
    }
  }

  /** Hours that two loaders have written are in rows alone. */
  private void meet(List<SummaryEntries> days, BitSet twice, long row, HourRanges finer) {
    for (int day = twice.nextSetBit(0); day >= 0; day = twice.nextSetBit(day + 1)) {
      int seen = 0;
      int again = 0;
      for (SummaryEntries entries : days) {
        for (int at = 0; at < entries.size(); at++) {
          if (entries.index(at) == day) {
            again |= seen & entries.parts(at);
            seen |= entries.parts(at);
          }
        }
      }
      for (; again != 0; again &= again - 1) {
        long start =
            SummaryLevel.DAY.start(row, day)
                + (long) Integer.numberOfTrailingZeros(again) * BaseTime.HOUR_SECONDS;
        if (finer.has(start)) {
          finer.remove(start, start + BaseTime.HOUR_SECONDS);
          rows.add(start, start + BaseTime.HOUR_SECONDS);
        }
      }
    }
  }
}
