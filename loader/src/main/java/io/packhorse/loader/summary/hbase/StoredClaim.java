package io.packhorse.loader.summary.hbase;

import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;

/**
 * A claim as it is stored.
 *
 * @param loaderId 0 if it is of no loader
 * @param claim one of everything if it cannot be read
 * @param stampMs the server's time when it was stored
 */
public record StoredClaim(
    byte[] column, int loaderId, SummaryClaim claim, boolean readable, long stampMs) {
  /** Whether it waits for a build, and not for its loader. */
  public boolean waits() {
    return loaderId == 0 || (readable && claim.reason() == Reason.NOT_SUMMARISED);
  }

  /** Whether somebody is building summaries, or died while he did. */
  public boolean isOfBuilder() {
    return loaderId == 0 && readable && claim.reason() == Reason.NOT_SUMMARISED;
  }
}
