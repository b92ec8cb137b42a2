package net.opentsdb.meta;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import net.opentsdb.core.Const;
import net.opentsdb.core.DamagedCells;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.Internal;
import net.opentsdb.core.QueryTimeout;
import net.opentsdb.core.RowKey;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.GetRequest;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a series' last point, hour by hour into the past.
 *
 * <p>Each row is requested when the one before has arrived, on the thread that received it. Rows
 * that are there at once are handled in a loop, so that the stack does not grow. One instance per
 * search.
 */
@NullMarked
@SuppressWarnings("NonApiType") // The HBase client hands out ArrayLists.
final class BackScan {
  private final TSDB tsdb;
  private final byte[] tsuid;
  private final LongFunction<Deferred<ArrayList<KeyValue>>> rowAt;
  private final AtomicLong skipped;
  private final Deferred<IncomingDataPoint> found = new Deferred<>();
  private long hour;
  private final long limitMs;
  private final long deadlineMs;
  private int left;

  /**
   * @param hour base time in seconds of the row that the search starts with
   * @param hoursBack how many more rows to check
   * @param skipped counts damaged cells that were left out
   */
  BackScan(TSDB tsdb, byte[] tsuid, long hour, int hoursBack, AtomicLong skipped) {
    this(tsdb, tsuid, hour, hoursBack, skipped, time -> get(tsdb, tsuid, time));
  }

  /**
   * @param rowAt the row of a base time, null or empty if there is none
   */
  BackScan(
      TSDB tsdb,
      byte[] tsuid,
      long hour,
      int hoursBack,
      AtomicLong skipped,
      LongFunction<Deferred<ArrayList<KeyValue>>> rowAt) {
    this.tsdb = tsdb;
    this.tsuid = tsuid;
    this.hour = hour;
    this.left = hoursBack;
    this.skipped = skipped;
    this.rowAt = rowAt;
    this.limitMs = QueryTimeout.limitMs(tsdb);
    this.deadlineMs = limitMs > 0 ? System.currentTimeMillis() + limitMs : 0;
  }

  private static Deferred<ArrayList<KeyValue>> get(TSDB tsdb, byte[] tsuid, long hour) {
    return tsdb.getClient()
        .get(new GetRequest(tsdb.dataTable(), RowKey.rowKeyFromTSUID(tsdb, tsuid, hour)));
  }

  /**
   * Starts the search with a row that was already read.
   *
   * @return the last point, its TSUID set, or null if no row has one
   */
  Deferred<IncomingDataPoint> from(@Nullable ArrayList<KeyValue> row) {
    search(row);
    return found;
  }

  private void search(@Nullable ArrayList<KeyValue> first) {
    @Nullable ArrayList<KeyValue> row = first;
    while (true) {
      IncomingDataPoint point;
      try {
        point = row == null ? null : last(row);
      } catch (Exception e) {
        found.callback(e);
        return;
      }
      if (point != null) {
        point.setTSUID(UniqueId.uidToString(tsuid));
      }
      if (point == null && deadlineMs > 0 && System.currentTimeMillis() > deadlineMs) {
        found.callback(QueryTimeout.tooLong(limitMs));
        return;
      }
      if (point != null || left == 0 || hour < Const.MAX_TIMESPAN) {
        found.callback(point);
        return;
      }
      left--;
      hour -= Const.MAX_TIMESPAN;
      Arrival arrival = new Arrival();
      rowAt.apply(hour).addCallbacks(arrival, arrival.failed());
      if (!arrival.isHere()) {
        return;
      }
      row = arrival.row;
    }
  }

  private @Nullable IncomingDataPoint last(ArrayList<KeyValue> row) throws Exception {
    skipped.addAndGet(DamagedCells.leaveOut(tsdb, row));
    return row.isEmpty() ? null : new Internal.GetLastDataPointCB(tsdb).call(row);
  }

  /** Receives one row: at once, and the loop continues, or later, and a new loop starts. */
  private final class Arrival implements Callback<@Nullable Object, @Nullable ArrayList<KeyValue>> {
    private @Nullable ArrayList<KeyValue> row;
    private boolean here;
    private boolean awaited;

    @Override
    public @Nullable Object call(@Nullable ArrayList<KeyValue> arrived) {
      synchronized (this) {
        row = arrived;
        here = true;
        if (!awaited) {
          return null;
        }
      }
      search(arrived);
      return null;
    }

    /** Whether the row is here; if not, its arrival continues the search. */
    synchronized boolean isHere() {
      awaited = true;
      return here;
    }

    Callback<@Nullable Object, Exception> failed() {
      return e -> {
        found.callback(e);
        return null;
      };
    }
  }
}
