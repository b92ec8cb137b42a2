package net.opentsdb.core;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.summary.SummaryTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.opentsdb.utils.LimitedLogger;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the series index and the summaries of the data table answer for, as one Get has found it
 * ({@code docs/format.md}, sections 16 and 17).
 *
 * @param index when the series index was begun; 0 if it is not whole
 * @param summaries when all packed cells were summed up, but for those of claims; 0 if they are not
 * @param claims what summaries do not answer for
 * @param claimants loader ids whose blocks do not count yet
 */
@NullMarked
record StoreState(long index, long summaries, List<SummaryClaim> claims, Set<Integer> claimants) {
  private static final Logger LOG = LimitedLogger.of(LoggerFactory.getLogger(StoreState.class));
  private static final byte[] INDEX = SeriesIndexRow.WHOLE.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SUMMARIES = SummaryTable.WHOLE.getBytes(StandardCharsets.US_ASCII);

  /** Nothing is known. */
  static final StoreState NONE = new StoreState(0, 0, List.of(), Set.of());

  StoreState {
    claims = List.copyOf(claims);
    claimants = Set.copyOf(claimants);
  }

  /** Reads the columns of the row that is about the whole data table. */
  static StoreState of(List<KeyValue> row) {
    long index = 0;
    long summaries = 0;
    List<SummaryClaim> claims = new ArrayList<>();
    Set<Integer> claimants = new HashSet<>();
    for (KeyValue cell : row) {
      if (Arrays.equals(cell.qualifier(), INDEX)) {
        index = cell.timestamp();
      } else if (Arrays.equals(cell.qualifier(), SUMMARIES)) {
        summaries = cell.timestamp();
      } else if (SummaryTable.isClaim(cell.qualifier())) {
        claims.add(claim(cell));
        claimants.add(SummaryTable.loaderOf(cell.qualifier()));
      }
    }
    return new StoreState(index, summaries, claims, claimants);
  }

  private static SummaryClaim claim(KeyValue cell) {
    try {
      return SummaryClaim.decode(cell.value());
    } catch (MalformedCellException e) {
      LOG.warn("A claim cannot be read, summaries are not used: " + cell, e);
      return SummaryClaim.ofAll(Reason.DELETED);
    }
  }
}
