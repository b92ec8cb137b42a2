package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.summary.LoadSummaries;
import io.packhorse.loader.summary.LoaderClaim;
import io.packhorse.loader.summary.LoaderClaims;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.HBaseSummaries;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The summaries of a load: claims ahead of its cells, blocks when all cells are acknowledged, and
 * then no claim. Whatever fails, a claim stays for what is not summed up.
 */
final class SummarisedCells implements Closeable {
  private final StoreConnection to;
  private final HBaseClaims claimed;
  private final HBaseSummaries table;
  private final LoaderClaims claims;
  private final LoadSummaries summaries;
  private final SeriesResolver resolver;
  private final Optional<ExecutorService> hfiles;

  /** Blocks taken to be stored, so far. */
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param resolver knows the series of all cells
   * @param files for what memory has no room for
   * @param hfiles threads to write the summaries of many series as HFiles; empty for Puts only
   */
  SummarisedCells(
      StoreConnection to,
      SeriesResolver resolver,
      LoadSummaries.Files files,
      Optional<ExecutorService> hfiles) {
    this.to = to;
    this.resolver = resolver;
    this.hfiles = hfiles;
    claimed = to.claims();
    table = to.summaries();
    claims = new LoaderClaims(claimed, to.layout().rowKeys().widths());
    summaries =
        new LoadSummaries(
            to.layout().rowKeys(), resolver::tsuid, resolver::metricUid, claims, files);
  }

  /**
   * Sets the mark of the summary table if it and the packed cells are empty: from now on every cell
   * has a claim or a summary.
   *
   * @param noCell whether the data table has no packed cell
   */
  static void begin(StoreConnection to, boolean noCell) throws IOException {
    if (noCell && !to.claims().read().whole() && to.summaries().isEmpty()) {
      to.claims().setWhole();
    }
  }

  /** As {@link #begin(StoreConnection, boolean)}. */
  void begin(boolean noCell) throws IOException {
    begin(to, noCell);
  }

  /** What takes note of the cells of one shard. */
  SummedCells open() {
    return summaries.open();
  }

  /** Stores the claims of the cells noted so far; before any of them is sent. */
  void record() throws IOException {
    claims.record();
  }

  /**
   * Stores the summaries and removes the claims; when all cells are acknowledged. A load does not
   * fail because its summaries cannot be stored.
   *
   * @param before loaders of earlier runs of the job, whose summaries ended with their process
   */
  void finish(List<LoaderId> before, Announcer announcer) throws IOException {
    if (!claims.stored().isEmpty()) {
      finish(announcer);
    }
    build(to, before, announcer);
  }

  private void finish(Announcer announcer) throws IOException {
    try {
      if (table.exists()) {
        store();
      } else {
        leaveOut("the table of summaries is gone");
      }
    } catch (IOException e) {
      announcer.say("summaries", "not stored: " + Causes.sentence(e));
      leaveOut("they could not be stored");
    }
    Set<String> reasons = new LinkedHashSet<>();
    for (LoaderClaim each : claims.stored()) {
      if (each.summarised()) {
        claimed.remove(each.loader().id());
      } else {
        claimed.put(each.loader().id(), each.claim(Reason.NOT_SUMMARISED));
        each.leftOut().ifPresent(reasons::add);
      }
    }
    if (!reasons.isEmpty()) {
      announcer.say(
          "summaries",
          "not complete, since "
              + String.join(", and ", reasons)
              + ": queries read the cells of this load until packhorse summary build");
    }
  }

  private void leaveOut(String reason) throws IOException {
    claims.stored().forEach(claim -> claim.leaveOut(reason));
  }

  private void store() throws IOException {
    if (hfiles.isPresent() && resolver.resolved() >= HFileDestination.SERIES_FILES_MIN) {
      try (SummaryHFiles files = new SummaryHFiles(to, summaries.shards())) {
        files.store(hfiles.get(), (shard, into) -> summaries.read(shard, summarised(into)));
      }
    } else {
      HBaseSummaries.Writer writer = table.new Writer();
      summaries.read(summarised(writer));
      writer.flush();
    }
  }

  /**
   * Passes on blocks of loaders whose summaries will be complete. A builder that may have missed
   * the claim of a loader may also delete its blocks.
   */
  private SummaryWrite.Receiver summarised(SummaryWrite.Receiver into) {
    Map<LoaderId, LoaderClaim> stored = new HashMap<>();
    claims.stored().forEach(claim -> stored.put(claim.loader(), claim));
    return block -> {
      LoaderClaim claim = stored.get(block.loader());
      if (claim != null && claim.summarised()) {
        into.take(block);
        taken.incrementAndGet();
      }
    };
  }

  /** How far {@link #finish} is. Any thread. */
  Announcer.Status status() {
    return Announcer.Status.of(
        "summaries",
        HumanNumbers.count(taken.get(), "block", "blocks")
            + " of "
            + HumanNumbers.count(resolver.resolved(), "series", "series")
            + " written so far");
  }

  static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted =
        new InterruptedIOException("interrupted while summaries were stored");
    interrupted.initCause(e);
    return interrupted;
  }

  /**
   * Builds the summaries of loaders that have ended and have claims. What cannot be built keeps its
   * claim.
   */
  static void build(StoreConnection to, List<LoaderId> loaders, Announcer announcer) {
    try {
      if (to.summaries().exists()) {
        long cells = to.summaryBuilder().build(loaders, soFar -> {});
        if (cells > 0) {
          announcer.say(
              "summaries",
              "built of " + HumanNumbers.count(cells, "cell", "cells") + " stored before");
        }
      }
    } catch (IOException e) {
      announcer.say(
          "summaries",
          "not built: "
              + Causes.sentence(e)
              + "; queries read the cells of this job until packhorse summary build");
    }
  }

  /** Leaves everything to be summed up later; when the load was stopped and sends no more cells. */
  void leave(Announcer announcer) {
    try {
      for (LoaderClaim each : claims.stored()) {
        claimed.put(each.loader().id(), each.claim(Reason.NOT_SUMMARISED));
      }
    } catch (IOException e) {
      announcer.say("summaries", "their claims stay those of a load: " + Causes.sentence(e));
    }
  }

  @Override
  public void close() throws IOException {
    summaries.close();
  }
}
