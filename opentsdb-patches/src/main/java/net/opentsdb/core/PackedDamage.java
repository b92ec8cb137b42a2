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
public final class PackedDamage {
  private static final Logger LOG = LoggerFactory.getLogger(PackedDamage.class);

  /** Setting: answer without damaged cells. Off unless set to true. */
  static final String SKIP = "tsd.query.packed.skip_damaged";

  private static final String HEADER = "X-Packhorse-Skipped-Cells";

  private PackedDamage() {}

  /** Whether the setting says so. */
  static boolean isLeftOut(TSDB tsdb) {
    return tsdb.getConfig().hasProperty(SKIP) && tsdb.getConfig().getBoolean(SKIP);
  }

  /**
   * Takes damaged packed cells out of a row, if the setting says so; each is logged.
   *
   * @return how many
   */
  public static int leaveOut(TSDB tsdb, List<KeyValue> row) {
    if (!isLeftOut(tsdb)) {
      return 0;
    }
    int before = row.size();
    row.removeIf(cell -> PackedColumn.matches(cell) && isDamaged(cell));
    return before - row.size();
  }

  private static boolean isDamaged(KeyValue cell) {
    try {
      PackedRow.decode(cell, new PointBlock(0));
      return false;
    } catch (IllegalDataException e) {
      LOG.warn("Left out of an answer, as " + SKIP + " says: " + e.getMessage());
      return true;
    }
  }

  /** Says in an answer's header how many cells were left out of it, unless none was. */
  public static void mark(HttpResponse answer, long skipped) {
    if (skipped > 0) {
      answer.headers().set(HEADER, skipped);
    }
  }
}
