package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import java.util.List;
import org.hbase.async.KeyValue;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packed cells that cannot be read: an error of the query, unless {@value #SKIP} says to leave them
 * out. Any thread.
 */
@NullMarked
public final class DamagedCells {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedCells.class);

  /** Setting: answer without damaged cells. Off unless set to true. */
  static final String SKIP = "tsd.query.packed.skip_damaged";

  private static final String HEADER = "X-Packhorse-Skipped-Cells";

  private DamagedCells() {}

  /** Whether damaged cells are left out of answers. */
  public static boolean leavesOut(TSDB tsdb) {
    return tsdb.getConfig().hasProperty(SKIP) && tsdb.getConfig().getBoolean(SKIP);
  }

  /**
   * Removes damaged packed cells from a row, if so configured; each is logged.
   *
   * @return how many were removed
   */
  public static int leaveOut(TSDB tsdb, List<KeyValue> row) {
    if (!leavesOut(tsdb)) {
      return 0;
    }
    int before = row.size();
    row.removeIf(cell -> PointColumn.matches(cell) && isDamaged(cell));
    return before - row.size();
  }

  private static boolean isDamaged(KeyValue cell) {
    try {
      PackedRow.decode(cell, new PointBlock(0));
      return false;
    } catch (IllegalDataException e) {
      LOG.warn("Damaged cell left out of an answer (" + SKIP + "=true): " + e.getMessage());
      return true;
    }
  }

  /** Sets the answer's header to the number of cells left out, if there are any. */
  public static void mark(HttpResponse answer, long skipped) {
    if (skipped > 0) {
      answer.headers().set(HEADER, skipped);
    }
  }
}
