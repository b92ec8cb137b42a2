package net.opentsdb.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.Const;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.Internal;
import net.opentsdb.core.PackedCells;
import net.opentsdb.core.TSDB;
import net.opentsdb.meta.Annotation;
import net.opentsdb.uid.NoSuchUniqueId;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check of rows that have packed cells: decodes all their columns, counts and reports, and
 * changes nothing. Any thread.
 */
@NullMarked
final class PackedFsck {
  private static final Logger LOG = LoggerFactory.getLogger(PackedFsck.class);

  private final TSDB tsdb;
  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong cells = new AtomicLong();
  private final AtomicLong packedPoints = new AtomicLong();
  private final AtomicLong otherPoints = new AtomicLong();
  private final AtomicLong damagedCells = new AtomicLong();
  private final AtomicLong damagedOthers = new AtomicLong();
  private final AtomicLong badKeys = new AtomicLong();
  private final AtomicLong stopped = new AtomicLong();

  PackedFsck(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  /**
   * Checks a row, or a part of a long one, if the row has packed cells.
   *
   * @param before what the last call of this worker returned
   * @return the row's key if it has packed cells, which are in its first part; else null, and fsck
   *     checks the row itself
   */
  byte @Nullable [] verify(List<KeyValue> row, byte @Nullable [] before) {
    byte[] key = row.get(0).key();
    boolean nextPart = before != null && Arrays.equals(key, before);
    if (!nextPart) {
      if (row.stream().noneMatch(PackedCells::matches)) {
        return null;
      }
      rows.incrementAndGet();
      verifyKey(key);
    }
    for (KeyValue cell : row) {
      verify(cell);
    }
    return key;
  }

  /**
   * Whether a row holds global annotations: its key has the metric 0 and ends with the time, and
   * all its columns are annotations.
   */
  static boolean isGlobalAnnotation(List<KeyValue> row) {
    byte[] key = row.get(0).key();
    int time = Const.SALT_WIDTH() + TSDB.metrics_width();
    if (key.length != time + Const.TIMESTAMP_BYTES) {
      return false;
    }
    for (int i = 0; i < time; i++) {
      if (key[i] != 0) {
        return false;
      }
    }
    return row.stream().allMatch(cell -> cell.qualifier()[0] == Annotation.PREFIX());
  }

  private void verify(KeyValue cell) {
    boolean packed = PackedCells.matches(cell);
    if (packed) {
      cells.incrementAndGet();
    } else if (!PackedCells.holdsPoints(cell)) {
      return;
    }
    try {
      int points = PackedCells.verify(cell);
      (packed ? packedPoints : otherPoints).addAndGet(points);
    } catch (IllegalDataException e) {
      (packed ? damagedCells : damagedOthers).incrementAndGet();
      LOG.error(e.getMessage());
    }
  }

  private void verifyKey(byte[] key) {
    int prefix = Const.SALT_WIDTH() + TSDB.metrics_width() + Const.TIMESTAMP_BYTES;
    int pair = TSDB.tagk_width() + TSDB.tagv_width();
    if (key.length <= prefix || (key.length - prefix) % pair != 0) {
      badKeys.incrementAndGet();
      LOG.error("Invalid key of a row with packed cells: " + UniqueId.uidToString(key));
      return;
    }
    try {
      Internal.metricName(tsdb, key);
      Internal.getTags(tsdb, key);
    } catch (NoSuchUniqueId e) {
      badKeys.incrementAndGet();
      LOG.error(
          "Unknown UID in the key of a row with packed cells: "
              + UniqueId.uidToString(key)
              + ": "
              + e.getMessage());
    }
  }

  /** Counts a worker that failed before the end of its range. */
  void stopped() {
    stopped.incrementAndGet();
  }

  /** Damaged columns and keys of such rows, and failed workers. */
  long errors() {
    return damagedCells.get() + damagedOthers.get() + badKeys.get() + stopped.get();
  }

  /** Logs the counts. */
  void log() {
    for (String line : counts()) {
      LOG.info(line);
    }
  }

  /** The counts as lines. */
  List<String> counts() {
    List<String> lines = new ArrayList<>();
    lines.add("Rows With Packed Cells: " + rows.get());
    lines.add("Packed Cells: " + cells.get());
    lines.add("Datapoints In Packed Cells: " + packedPoints.get());
    lines.add("Datapoints Beside Packed Cells: " + otherPoints.get());
    lines.add("Damaged Packed Cells: " + damagedCells.get());
    lines.add("Damaged Columns Beside Packed Cells: " + damagedOthers.get());
    lines.add("Bad Keys Of Rows With Packed Cells: " + badKeys.get());
    lines.add("Failed Workers: " + stopped.get());
    return lines;
  }
}
