package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.loader.summary.hbase.SummaryUnits.Unit;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryTable;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Builds summaries from stored cells. While it runs it has a claim of its own, stored again every
 * few minutes: a loader or rollback that begins meanwhile sees it, and leaves its own claim to the
 * next build. One thread.
 */
public final class SummaryBuilder {
  /** Claims of no loader that are younger than this are of somebody who is at work. */
  private static final long LIVE_MS = TimeUnit.HOURS.toMillis(1);

  private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final Set<SummaryLevel> MONTHS = EnumSet.of(SummaryLevel.MONTH);
  private static final Set<SummaryLevel> DAYS = EnumSet.of(SummaryLevel.DAY, SummaryLevel.HOUR);

  private final HBaseClaims claims;
  private final HBaseSummaries table;
  private final SummaryUnits units;
  private final UnitCells cells;
  private final RowKeyLayout layout;
  private final long liveMs;
  private final long number;
  private long storedNanos;

  /**
   * What was done.
   *
   * @param cells summed up
   * @param removed claims that are not needed any more
   * @param left claims whose hours are still read from the cells
   * @param whole whether the mark is set
   */
  public record Built(
      long cells, List<StoredClaim> removed, List<StoredClaim> left, boolean whole) {}

  /** Hears how many cells were summed up so far. */
  public interface Progress {
    void cells(long soFar);
  }

  /**
   * @param connection stays the caller's
   */
  public SummaryBuilder(Connection connection, String dataTable, RowKeyLayout layout) {
    this(connection, dataTable, layout, new SecureRandom().nextLong(), LIVE_MS);
  }

  /**
   * The builder of a repack. That of the same job when it is resumed has the same claim, so it does
   * not wait for one that has died.
   *
   * @param connection stays the caller's
   * @param loader of the repack; no other process has its job meanwhile
   */
  public SummaryBuilder(
      Connection connection, String dataTable, RowKeyLayout layout, LoaderId loader) {
    this(connection, dataTable, layout, numberOf(loader), LIVE_MS);
  }

  SummaryBuilder(
      Connection connection, String dataTable, RowKeyLayout layout, long number, long liveMs) {
    this.number = number;
    this.liveMs = liveMs;
    this.layout = layout;
    claims = new HBaseClaims(connection, dataTable);
    table = new HBaseSummaries(connection, dataTable);
    units = new SummaryUnits(connection, dataTable, layout);
    cells = new UnitCells(connection, dataTable, layout);
  }

  /**
   * Builds the summaries of all loaders that have ended, and removes the claims that only this has
   * been missing for. Sets the mark if the range is everything.
   *
   * @param ended loaders whose process is known to have died, whatever their claims say
   */
  public Built build(SummaryRange range, Set<Integer> ended, Progress progress) throws IOException {
    storeClaim(range);
    try {
      // Read after the own claim is stored: who stores a claim later sees that one.
      List<StoredClaim> before =
          claims.read().claims().stream().filter(claim -> !isOwn(claim)).toList();
      List<StoredClaim> live = before.stream().filter(claim -> isLive(claim, ended)).toList();
      Set<Integer> left = Set.copyOf(live.stream().map(StoredClaim::loaderId).distinct().toList());
      long built = build(range, Loaders.without(left), true, progress);
      if (range.isAll()) {
        claims.setWhole();
      }
      List<StoredClaim> removed = new ArrayList<>();
      for (StoredClaim claim : before) {
        if (!live.contains(claim) && range.covers(claim.claim())) {
          claims.remove(claim);
          removed.add(claim);
        }
      }
      HBaseClaims.Content after = claims.read();
      return new Built(
          built,
          removed,
          after.claims().stream().filter(claim -> !isOwn(claim)).toList(),
          after.whole());
    } finally {
      claims.removeOther(number);
    }
  }

  /**
   * Builds the summaries of those of some loaders that have a claim, and removes the claims. They
   * have ended, and nobody deletes their cells meanwhile.
   *
   * @return how many cells were summed up
   */
  public long build(List<LoaderId> loaders, Progress progress) throws IOException {
    Map<Integer, LoaderId> byId =
        loaders.stream().collect(Collectors.toMap(LoaderId::id, loader -> loader));
    List<StoredClaim> theirs =
        claims.read().claims().stream()
            .filter(claim -> byId.containsKey(claim.loaderId()))
            .toList();
    Set<LoaderId> wanted =
        theirs.stream().map(claim -> byId.get(claim.loaderId())).collect(Collectors.toSet());
    if (theirs.isEmpty()) {
      return 0;
    }
    SummaryRange range = SummaryRange.around(theirs.stream().map(StoredClaim::claim).toList());
    long built = build(range, Loaders.of(wanted), false, progress);
    for (StoredClaim claim : theirs) {
      claims.remove(claim);
    }
    return built;
  }

  /**
   * Removes the mark, then all summaries, unless somebody is at work whose summaries would be lost.
   *
   * @param ended loaders whose process is known to have died, whatever their claims say
   * @return claims of those who are at work; empty if it is done
   */
  public List<StoredClaim> drop(Set<Integer> ended) throws IOException {
    storeClaim(SummaryRange.ALL);
    try {
      List<StoredClaim> live =
          claims.read().claims().stream()
              .filter(claim -> !isOwn(claim) && isLive(claim, ended))
              .filter(claim -> claim.loaderId() != 0 || claim.isOfBuilder())
              .toList();
      if (live.isEmpty()) {
        claims.removeWhole();
        table.truncate();
      }
      return live;
    } finally {
      claims.removeOther(number);
    }
  }

  private long build(SummaryRange range, Loaders loaders, boolean claimed, Progress progress)
      throws IOException {
    long[] built = new long[1];
    units.visit(
        range,
        new SummaryUnits.Work() {
          @Override
          public void unit(Unit unit) throws IOException {
            refresh(range, claimed);
            built[0] += build(unit, loaders);
            progress.cells(built[0]);
          }

          @Override
          public void gap(byte[] start, byte[] stop) throws IOException {
            refresh(range, claimed);
            table.replace(start, stop, EnumSet.allOf(SummaryLevel.class), loaders, List.of());
          }
        });
    return built[0];
  }

  private long build(Unit unit, Loaders loaders) throws IOException {
    // End of the last month that was dealt with: months without cells lose their blocks.
    long[] done = {unit.yearSeconds()};
    return cells.read(
        unit,
        loaders,
        (rowSeconds, ofMonths, blocks) -> {
          if (ofMonths) {
            replace(unit, done[0], unit.endSeconds(), DAYS, loaders, List.of());
            replace(unit, rowSeconds, hourAfter(rowSeconds), MONTHS, loaders, blocks);
          } else {
            replace(unit, done[0], hourAfter(rowSeconds), DAYS, loaders, blocks);
            done[0] = hourAfter(rowSeconds);
          }
        });
  }

  private static long hourAfter(long seconds) {
    return seconds + BaseTime.HOUR_SECONDS;
  }

  private void replace(
      Unit unit,
      long fromSeconds,
      long toSeconds,
      Set<SummaryLevel> levels,
      Loaders loaders,
      List<SummaryWrite> blocks)
      throws IOException {
    table.replace(
        layout.scanStart(unit.bucket(), unit.metric(), fromSeconds),
        layout.scanStop(unit.bucket(), unit.metric(), toSeconds),
        levels,
        loaders,
        blocks);
  }

  /** Number of the claim that the builder of a repack has. */
  public static long numberOf(LoaderId loader) {
    return ((long) loader.id() << 40) ^ loader.stampMs();
  }

  /** Whether another builder is at work, or died in the last hour while it was. */
  public boolean isBesideAnother() throws IOException {
    return claims.read().claims().stream().anyMatch(claim -> claim.isOfBuilder() && !isOwn(claim));
  }

  private boolean isOwn(StoredClaim claim) {
    return Arrays.equals(claim.column(), SummaryTable.otherClaim(number));
  }

  private boolean isLive(StoredClaim claim, Set<Integer> ended) {
    if (claim.loaderId() == 0) {
      return System.currentTimeMillis() - claim.stampMs() < liveMs;
    }
    return !claim.waits() && !ended.contains(claim.loaderId());
  }

  private void refresh(SummaryRange range, boolean claimed) throws IOException {
    if (claimed && System.nanoTime() - storedNanos > REFRESH_NANOS) {
      storeClaim(range);
    }
  }

  private void storeClaim(SummaryRange range) throws IOException {
    claims.putOther(number, range.claim(Reason.NOT_SUMMARISED));
    storedNanos = System.nanoTime();
  }
}
