package io.packhorse.loader.table;

import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.SplitPoints;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.time.Instant;
import java.util.List;

/**
 * How large a workload becomes, into how many regions its data table is cut, and how many UIDs it
 * takes. Arithmetic only.
 *
 * @param workload what is stored
 * @param layout row keys of the data table
 */
public record TablePlan(Workload workload, RowKeyLayout layout) {
  /** A region as large as HBase handles well: moved in minutes, compacted in one go. */
  static final double REGION_BYTES_MAX = 20e9;

  /** Share of the UIDs of a kind from which the width is too small to be sure. */
  private static final double UIDS_FULL = 0.8;

  private static final long REGIONS_MAX = 100_000;

  /** What HBase stores with a row key and a value: lengths, family, timestamp, type. */
  private static final int KEY_VALUE_BYTES = 21;

  public TablePlan {
    if (bytes(workload, layout) / REGION_BYTES_MAX > REGIONS_MAX) {
      throw new IllegalArgumentException(
          "more than "
              + REGIONS_MAX
              + " regions of 20 GB: plan less, or several stores; points="
              + workload.points());
    }
  }

  /** Salt buckets for a new store: two regions a server, and four at least. */
  public static int bucketsFor(int regionServers) {
    return Math.min(256, Math.max(4, 2 * regionServers));
  }

  /** Bytes of the data table's HFiles, once. */
  public double bytes() {
    return bytes(workload, layout);
  }

  private static double bytes(Workload workload, RowKeyLayout layout) {
    int rowKey =
        layout.salt().width()
            + layout.widths().metric()
            + RowKeyLayout.TIME_LENGTH
            + workload.tags() * (layout.widths().tagk() + layout.widths().tagv());
    return workload.cells() * (workload.bytesPerCell() + KEY_VALUE_BYTES + rowKey);
  }

  /** Bytes a point, keys included. */
  public double bytesPerPoint() {
    return bytes() / workload.points();
  }

  /** Regions of one salt bucket, 1 or more. */
  public int regionsPerBucket() {
    return (int) Math.ceil(Math.max(1, bytes() / REGION_BYTES_MAX / layout.salt().buckets()));
  }

  /** Regions of the data table. */
  public int regions() {
    return regionsPerBucket() * layout.salt().buckets();
  }

  /**
   * Where the data table is cut when it is made.
   *
   * @param end of the time that is kept: now, for a backfill
   */
  public List<byte[]> splitPoints(Instant end) {
    long to = BaseTime.ofSeconds(end.getEpochSecond());
    long from = BaseTime.ofSeconds(Math.max(0, to - workload.retention().toSeconds()));
    return SplitPoints.byMetricAndTime(layout, regionsPerBucket(), workload.metrics(), from, to);
  }

  /** UIDs that are needed of a kind; of tag values the most there can be. */
  public long uids(UidKind kind) {
    return switch (kind) {
      case METRIC -> workload.metrics();
      case TAGK -> workload.tags();
      case TAGV ->
          (workload.series() + workload.metrics() - 1) / workload.metrics() * workload.tags();
    };
  }

  /** UIDs that there are of a kind. */
  public long uidsMax(UidKind kind) {
    return UidRows.maxUid(layout.widths().of(kind));
  }

  /** Whether a kind may run out of UIDs: its width has to be raised before the first point. */
  public boolean mayRunOut(UidKind kind) {
    return uids(kind) > UIDS_FULL * uidsMax(kind);
  }
}
