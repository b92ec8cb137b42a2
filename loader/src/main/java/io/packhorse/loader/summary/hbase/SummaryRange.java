package io.packhorse.loader.summary.hbase;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.summary.SummaryLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Metrics and whole years, which summaries are built of.
 *
 * @param fromSeconds start of the first year, since 1970
 * @param toSeconds end of the last year, up to {@link RowKeyLayout#END_OF_TIME}
 * @param metrics their UIDs; none for all metrics
 */
public record SummaryRange(long fromSeconds, long toSeconds, List<byte[]> metrics) {
  /** All metrics and years. */
  public static final SummaryRange ALL = new SummaryRange(0, RowKeyLayout.END_OF_TIME, List.of());

  public SummaryRange {
    metrics = List.copyOf(metrics);
  }

  /**
   * The years around some hours.
   *
   * @param toSeconds above {@code fromSeconds}
   * @param metrics none for all
   */
  public static SummaryRange around(long fromSeconds, long toSeconds, List<byte[]> metrics) {
    return new SummaryRange(
        SummaryLevel.MONTH.row(fromSeconds),
        endOfYear(SummaryLevel.MONTH.row(toSeconds - 1)),
        metrics);
  }

  /** The years and metrics of claims together; there is one at least. */
  public static SummaryRange around(List<SummaryClaim> claims) {
    TreeSet<byte[]> metrics = new TreeSet<>(Arrays::compareUnsigned);
    claims.forEach(claim -> metrics.addAll(claim.metrics()));
    return around(
        claims.stream().mapToLong(SummaryClaim::fromSeconds).min().orElseThrow(),
        claims.stream().mapToLong(SummaryClaim::toSeconds).max().orElseThrow(),
        claims.stream().anyMatch(claim -> claim.metrics().isEmpty())
            ? List.of()
            : new ArrayList<>(metrics));
  }

  /** End of a year that begins with this hour. */
  static long endOfYear(long yearSeconds) {
    return Math.min(RowKeyLayout.END_OF_TIME, SummaryLevel.MONTH.nextRow(yearSeconds));
  }

  /** Whether it is everything. */
  public boolean isAll() {
    return fromSeconds == 0 && toSeconds == RowKeyLayout.END_OF_TIME && metrics.isEmpty();
  }

  /** Whether a claim is of nothing else. */
  public boolean covers(SummaryClaim claim) {
    return claim.fromSeconds() >= fromSeconds
        && claim.toSeconds() <= toSeconds
        && (metrics.isEmpty()
            || (!claim.metrics().isEmpty() && claim.metrics().stream().allMatch(this::has)));
  }

  private boolean has(byte[] metric) {
    return metrics.stream().anyMatch(each -> Arrays.equals(each, metric));
  }

  /** A claim of it. */
  SummaryClaim claim(Reason reason) {
    return new SummaryClaim(
        reason,
        fromSeconds,
        toSeconds,
        metrics.size() > SummaryClaim.METRICS_MAX ? List.of() : metrics);
  }
}
