package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The hours and metrics of the cells that one loader writes, in whole months, so that its claim is
 * stored once a month and not once a cell. Any number of threads.
 */
public final class LoaderClaim {
  private final LoaderId loader;
  private final UidWidths widths;
  private final Set<Long> metrics = new TreeSet<>();
  private long fromSeconds = RowKeyLayout.END_OF_TIME;
  private long toSeconds;
  private byte @Nullable [] stored;

  /** Why there are no summaries, or null if they will be complete. */
  private @Nullable String leftOut;

  public LoaderClaim(LoaderId loader, UidWidths widths) {
    this.loader = loader;
    this.widths = widths;
  }

  /** Whose cells they are. */
  public LoaderId loader() {
    return loader;
  }

  /**
   * Covers an hour of a metric.
   *
   * @param metric its UID
   * @return whether it was not covered before
   */
  public synchronized boolean cover(long metric, long hourSeconds) {
    boolean grown = false;
    if (hourSeconds < fromSeconds) {
      fromSeconds = SummaryLevel.DAY.row(hourSeconds);
      grown = true;
    }
    if (hourSeconds >= toSeconds) {
      toSeconds = end(hourSeconds);
      grown = true;
    }
    if (metrics.size() <= SummaryClaim.METRICS_MAX) {
      grown |= metrics.add(metric);
    }
    return grown;
  }

  /** The last month ends with the last hour. */
  private static long end(long hourSeconds) {
    return Math.min(
        RowKeyLayout.END_OF_TIME, SummaryLevel.DAY.nextRow(SummaryLevel.DAY.row(hourSeconds)));
  }

  /** The claim of what is covered, which is at least one hour. */
  public synchronized SummaryClaim claim(SummaryClaim.Reason reason) {
    return new SummaryClaim(
        reason,
        fromSeconds,
        toSeconds,
        metrics.size() > SummaryClaim.METRICS_MAX
            ? List.of()
            : metrics.stream().map(uid -> UidRows.encode(uid, widths.metric())).toList());
  }

  /**
   * Notes that the summaries of this loader will be missing or incomplete.
   *
   * @param reason for people; the first one counts
   */
  public synchronized void leaveOut(String reason) {
    if (leftOut == null) {
      leftOut = reason;
    }
  }

  /** Whether the summaries of this loader will be complete. */
  public synchronized boolean summarised() {
    return leftOut == null;
  }

  /** Why they will not be complete; empty if they will. */
  public synchronized Optional<String> leftOut() {
    return Optional.ofNullable(leftOut);
  }

  /** Whether a claim is not the one stored last; it counts as stored then. */
  boolean isNew(byte[] claim) {
    return !Arrays.equals(stored, claim);
  }

  /** Whether no claim is stored yet. */
  boolean isFirst() {
    return stored == null;
  }

  void isStored(byte[] claim) {
    stored = claim;
  }
}
