package io.packhorse.loader.load;

import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.HBaseSummaries;
import io.packhorse.loader.summary.hbase.StoredClaim;
import io.packhorse.loader.summary.hbase.SummaryBuilder.Built;
import io.packhorse.loader.summary.hbase.SummaryRange;
import io.packhorse.loader.summary.hbase.SummaryVerifier;
import io.packhorse.loader.summary.hbase.SummaryVerifier.Verified;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Builds, drops, verifies and shows the summaries of a store.
 *
 * @param of the store; stays the caller's
 */
public record Summaries(StoreConnection of, Announcer announcer) {
  /**
   * What is asked for.
   *
   * @param metrics names; none for all
   * @param from first time; empty for the beginning
   * @param to time after the last; empty for the end
   */
  public record Wanted(List<String> metrics, Optional<Instant> from, Optional<Instant> to) {
    private boolean isAll() {
      return metrics.isEmpty() && from.isEmpty() && to.isEmpty();
    }
  }

  /**
   * How it is.
   *
   * @param table its name
   * @param found the table, if it exists
   * @param whole whether queries use it
   * @param claims what they do not use it for
   */
  public record Shown(
      String table, Optional<FoundTable> found, boolean whole, List<StoredClaim> claims) {}

  /**
   * Builds summaries from cells, in whole years. If nothing in particular is wanted: everything, or
   * of a table that answers already the metrics and years of claims.
   *
   * @param ended loader ids whose process is known to have died
   * @return empty if there was nothing to do
   */
  public Optional<Built> build(Wanted wanted, Set<Integer> ended) throws IOException {
    StoreAddress.createOwnTables(of);
    Optional<SummaryRange> range = toBuild(wanted, ended);
    if (range.isEmpty()) {
      return Optional.empty();
    }
    AtomicLong cells = new AtomicLong();
    try (Announcer.Progress progress = progress("build", cells)) {
      return Optional.of(of.summaryBuilder().build(range.get(), ended, cells::set));
    }
  }

  private Optional<SummaryRange> toBuild(Wanted wanted, Set<Integer> ended) throws IOException {
    HBaseClaims.Content content = of.claims().read();
    if (!wanted.isAll() || !content.whole()) {
      return Optional.of(range(wanted));
    }
    List<SummaryClaim> waiting =
        content.claims().stream()
            .filter(claim -> claim.waits() || ended.contains(claim.loaderId()))
            .map(StoredClaim::claim)
            .toList();
    return waiting.isEmpty() ? Optional.empty() : Optional.of(SummaryRange.around(waiting));
  }

  private SummaryRange range(Wanted wanted) throws IOException {
    List<byte[]> metrics = new ArrayList<>();
    for (String name : wanted.metrics()) {
      OptionalLong uid = of.knownUids().find(UidKind.METRIC, name);
      if (uid.isEmpty()) {
        throw new OperationException(
            Kind.USAGE, "The store has no metric " + name + ": correct --metric.");
      }
      metrics.add(UidRows.encode(uid.getAsLong(), of.layout().rowKeys().widths().metric()));
    }
    long from = wanted.from().map(Instant::getEpochSecond).orElse(0L);
    long to = wanted.to().map(Instant::getEpochSecond).orElse(RowKeyLayout.END_OF_TIME);
    if (from < 0 || from >= to || to > RowKeyLayout.END_OF_TIME) {
      throw new OperationException(
          Kind.USAGE, "--from must be before --to, both of them from 1970 to 2106.");
    }
    return SummaryRange.around(from, to, metrics);
  }

  private Announcer.Progress progress(String doing, AtomicLong cells) {
    return announcer.progress(
        () ->
            Announcer.Status.of(
                doing, HumanNumbers.count(cells.get(), "cell", "cells") + " summed up so far"));
  }

  /** Compares summaries with those that the cells give now. */
  public Verified verify(Wanted wanted) throws IOException {
    HBaseSummaries table = of.summaries();
    if (!table.exists()) {
      throw new OperationException(
          Kind.REFUSED,
          "There is no table "
              + SummaryTable.of(of.layout().dataTable())
              + ": packhorse summary build makes it.");
    }
    AtomicLong cells = new AtomicLong();
    try (Announcer.Progress progress = progress("verify", cells)) {
      return new SummaryVerifier(
              of.cluster().connection(), of.layout().dataTable(), of.layout().rowKeys())
          .verify(range(wanted), cells::set);
    }
  }

  /**
   * Empties the table; queries read cells from now on, until it is built again.
   *
   * @param ended as for {@link #build}
   * @throws OperationException REFUSED if a load or a build is at work
   */
  public void drop(Set<Integer> ended) throws IOException {
    List<StoredClaim> live = of.summaryBuilder().drop(ended);
    if (!live.isEmpty()) {
      throw new OperationException(
          Kind.REFUSED,
          "Nothing was dropped: "
              + HumanNumbers.count(live.size(), "load or build is", "loads or builds are")
              + " at work, or died; packhorse summary show lists them and says what to do.");
    }
  }

  /** Looks, changes nothing. */
  public Shown show() throws IOException {
    String table = SummaryTable.of(of.layout().dataTable());
    HBaseClaims.Content content = of.claims().read();
    return new Shown(
        table,
        new HBaseTables(of.cluster().connection()).find(table),
        content.whole(),
        content.claims());
  }
}
