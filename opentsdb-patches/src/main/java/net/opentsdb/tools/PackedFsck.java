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
import net.opentsdb.uid.NoSuchUniqueId;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What fsck does with rows that have packed cells: reads all their columns, counts, reports, and
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
   * Checks a row, or a piece of one, if it has packed cells.
   *
   * @param before what the last call of this worker returned
   * @return the row's key if it has packed cells, which come in its first piece; else null, and the
   *     row is fsck's own to check
   */
  byte @Nullable [] verify(List<KeyValue> row, byte @Nullable [] before) {
    byte[] key = row.get(0).key();
    boolean goesOn = before != null && Arrays.equals(key, before);
    if (!goesOn) {
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
      String unused = Internal.metricName(tsdb, key);
      var unusedTags = Internal.getTags(tsdb, key);
    } catch (NoSuchUniqueId e) {
      badKeys.incrementAndGet();
      LOG.error(
          "Unknown UID in the key of a row with packed cells: "
              + UniqueId.uidToString(key)
              + ": "
              + e.getMessage());
    }
  }

  /** A worker gave up before the end of its range. */
  void stopped() {
    stopped.incrementAndGet();
  }

  /** Damaged columns and keys of such rows, and workers that gave up. */
  long errors() {
    return damagedCells.get() + damagedOthers.get() + badKeys.get() + stopped.get();
  }

  /** Writes the counts into the log, if there is anything to tell. */
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
    lines.add("Workers That Gave Up: " + stopped.get());
    return lines;
  }
}
