package io.packhorse.loader.summary;

import io.packhorse.schema.summary.SummaryClaim;
import java.io.IOException;

/** Keeps the claims of loaders where readers look for them. */
public interface ClaimStore {
  /**
   * Stores the claim of a loader in place of the one before; readers see it when this returns.
   *
   * @return whether summaries are being built at this moment, by somebody who may not have seen the
   *     claim
   */
  boolean put(int loaderId, SummaryClaim claim) throws IOException;
}
