package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the claims of a load ahead of its cells: what a cell needs is noted before the cell is
 * passed to a sink, and stored before the sink sends it. Any number of threads.
 */
public final class LoaderClaims {
  private final ClaimStore store;
  private final UidWidths widths;
  private final List<LoaderClaim> claims = new ArrayList<>();
  private final AtomicInteger changes = new AtomicInteger();

  /** How many of the changes are stored. */
  private volatile int stored;

  public LoaderClaims(ClaimStore store, UidWidths widths) {
    this.store = store;
    this.widths = widths;
  }

  /** Begins the claim of a loader, which is going to send a cell of this hour. */
  synchronized LoaderClaim open(LoaderId loader, long metric, long hourSeconds) {
    LoaderClaim claim = new LoaderClaim(loader, widths);
    cover(claim, metric, hourSeconds);
    claims.add(claim);
    return claim;
  }

  /** Notes that a cell of this hour is going to be sent. */
  void cover(LoaderClaim of, long metric, long hourSeconds) {
    if (of.cover(metric, hourSeconds)) {
      changes.incrementAndGet();
    }
  }

  /** Stores what was noted by now; costs little if it is stored already. */
  public void record() throws IOException {
    if (stored < changes.get()) {
      store();
    }
  }

  private synchronized void store() throws IOException {
    int noted = changes.get();
    for (LoaderClaim each : claims) {
      SummaryClaim claim = each.claim(Reason.WRITING);
      byte[] value = claim.encode();
      if (each.isNew(value)) {
        boolean building = store.put(each.loader().id(), claim);
        if (building && each.isFirst()) {
          // The builder may have seen some of the cells, and never this claim.
          each.leaveOut("a packhorse summary build ran when the load began");
        }
        each.isStored(value);
      }
    }
    stored = noted;
  }

  /** The claims of the load that are stored. */
  public synchronized List<LoaderClaim> stored() {
    return claims.stream().filter(claim -> !claim.isFirst()).toList();
  }
}
