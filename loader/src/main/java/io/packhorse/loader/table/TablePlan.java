package io.packhorse.loader.table;

import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.SplitPoints;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.time.Instant;
import java.util.List;

/**
 * Computes from a volume of data the size of the tables, the regions of the data table and the
 * number of UIDs. Immutable; asks no cluster.
 *
 * @param volume the data to be stored
 * @param layout row keys of the data table
 */
public record TablePlan(DataVolume volume, RowKeyLayout layout) {
  /** The largest region that HBase still moves and compacts in minutes. */
  static final double REGION_BYTES_MAX = 20e9;

  /** Share of the UIDs of a kind above which its width may be too small. */
  private static final double UIDS_FULL = 0.8;

  private static final long REGIONS_MAX = 100_000;

  /** Bytes that HBase stores with each row key and value: lengths, family, timestamp, type. */
  private static final int KEY_VALUE_BYTES = 21;

  public TablePlan {
    if (bytes(volume, layout) / REGION_BYTES_MAX > REGIONS_MAX) {
      throw new IllegalArgumentException(
          "more than "
              + REGIONS_MAX
              + " regions of 20 GB would be needed: plan less data, or several stores; points="
              + volume.points());
    }
  }

  /** Salt buckets of a new store: two for each region server, 4 to 256. */
  public static int bucketsFor(int regionServers) {
    return Math.min(256, Math.max(4, 2 * regionServers));
  }

  /** Bytes of the data table's HFiles, before replication by HDFS. */
  public double bytes() {
    return bytes(volume, layout);
  }

  private static double bytes(DataVolume volume, RowKeyLayout layout) {
    int rowKey =
        layout.salt().width()
            + layout.widths().metric()
            + RowKeyLayout.TIME_LENGTH
            + volume.tags() * (layout.widths().tagk() + layout.widths().tagv());
    return volume.cells() * (volume.bytesPerCell() + KEY_VALUE_BYTES + rowKey);
  }

  /** Bytes per point, keys included. */
  public double bytesPerPoint() {
    return bytes() / volume.points();
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
   * Split points with which the data table is created.
   *
   * @param end of the time range that is kept; now, for a backfill
   */
  public List<byte[]> splitPoints(Instant end) {
    long to = BaseTime.ofSeconds(end.getEpochSecond());
    long from = BaseTime.ofSeconds(Math.max(0, to - volume.retention().toSeconds()));
    return SplitPoints.byMetricAndTime(layout, regionsPerBucket(), volume.metrics(), from, to);
  }

  /** UIDs needed of a kind; of tag values the largest possible number. */
  public long uids(UidKind kind) {
    return switch (kind) {
      case METRIC -> volume.metrics();
      case TAGK -> volume.tags();
      case TAGV -> (volume.series() + volume.metrics() - 1) / volume.metrics() * volume.tags();
    };
  }

  /** UIDs that exist of a kind. */
  public long uidsMax(UidKind kind) {
    return UidRows.maxUid(layout.widths().of(kind));
  }

  /** Whether UIDs of a kind may run out; its width can only be raised before the first load. */
  public boolean mayRunOut(UidKind kind) {
    return uids(kind) > UIDS_FULL * uidsMax(kind);
  }
}
