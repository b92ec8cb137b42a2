package net.opentsdb.meta;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.opentsdb.core.CallbackLoop;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.Internal;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.QueryTimeout;
import net.opentsdb.core.RowKey;
import net.opentsdb.core.TSDB;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * Reads the last points of many series, whose rows are fetched many in a call, in a few calls at a
 * time. One instance a question; one thread at a time.
 */
@NullMarked
@SuppressWarnings("NonApiType") // types of the HBase client
public final class LastPointReads {
  /** A row of single points may have a quarter of a megabyte. */
  private static final int ROWS_A_CALL = 32;

  /** Calls at the same time, for one region server or many. */
  private static final int CALLS = 16;

  private final TSDB tsdb;
  private final Iterator<Map.Entry<byte[], Long>> lastWrites;
  private final Search search;
  private final long limitMs;
  private final long deadlineMs;
  private final ArrayList<IncomingDataPoint> points = QueryMemory.list(1024);
  private final Deque<Batch> calls = new ArrayDeque<>();

  /** Searches for the last point of a series from a row on that is here. */
  @FunctionalInterface
  public interface Search {
    /**
     * The last point, which has names if the question asks for them.
     *
     * @param hour base time of the row in seconds
     * @return null in it if there is no point
     */
    Deferred<IncomingDataPoint> from(byte[] tsuid, long hour, ArrayList<KeyValue> row)
        throws Exception;
  }

  /**
   * @param series their TSUIDs
   * @param hours base times of the rows in seconds
   * @param rows in the same order, when they arrive
   */
  private record Batch(
      List<byte[]> series, List<Long> hours, Deferred<List<GetResultOrException>> rows) {}

  private LastPointReads(TSDB tsdb, ByteMap<Long> lastWrites, Search search) {
    this.tsdb = tsdb;
    this.lastWrites = lastWrites.iterator();
    this.search = search;
    limitMs = QueryTimeout.limitMs(tsdb);
    deadlineMs = limitMs > 0 ? System.currentTimeMillis() + limitMs : Long.MAX_VALUE;
  }

  /**
   * The last points of some series.
   *
   * @param lastWrites milliseconds by TSUID; the row of that hour is fetched, of the present one
   *     for 0
   * @param search is given the row, empty if it is not there
   * @return those found; completes with an error if a row cannot be read, or with a timeout
   */
  public static Deferred<ArrayList<IncomingDataPoint>> of(
      TSDB tsdb, ByteMap<Long> lastWrites, Search search) {
    LastPointReads reads = new LastPointReads(tsdb, lastWrites, search);
    reads.fetch();
    return CallbackLoop.run(reads::batches).addCallback(done -> reads.points);
  }

  private Iterator<Callback<Deferred<Object>, Object>> batches() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !calls.isEmpty();
      }

      @Override
      public Callback<Deferred<Object>, Object> next() {
        return argument -> step();
      }
    };
  }

  private Deferred<Object> step() {
    Batch batch = calls.remove();
    if (System.currentTimeMillis() > deadlineMs) {
      return Deferred.fromError(QueryTimeout.tooLong(limitMs));
    }
    fetch();
    return batch
        .rows()
        .addCallbackDeferring(rows -> Deferred.groupInOrder(points(batch, rows)))
        .addCallback(
            found -> {
              found.stream().filter(Objects::nonNull).forEach(points::add);
              return null;
            });
  }

  /** Asks for the next rows, as many as may be asked for at a time. */
  private void fetch() {
    while (calls.size() < CALLS && lastWrites.hasNext()) {
      List<byte[]> series = new ArrayList<>();
      List<Long> hours = new ArrayList<>();
      List<GetRequest> gets = new ArrayList<>();
      while (gets.size() < ROWS_A_CALL && lastWrites.hasNext()) {
        Map.Entry<byte[], Long> each = lastWrites.next();
        long written = each.getValue() > 0 ? each.getValue() : System.currentTimeMillis();
        long hour = Internal.baseTime(written);
        series.add(each.getKey());
        hours.add(hour);
        gets.add(
            new GetRequest(tsdb.dataTable(), RowKey.rowKeyFromTSUID(tsdb, each.getKey(), hour)));
      }
      calls.add(new Batch(series, hours, tsdb.getClient().get(gets)));
    }
  }

  private List<Deferred<IncomingDataPoint>> points(Batch batch, List<GetResultOrException> rows)
      throws Exception {
    List<Deferred<IncomingDataPoint>> found = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      GetResultOrException row = rows.get(i);
      if (row.getException() != null) {
        throw row.getException();
      }
      found.add(
          search.from(
              batch.series().get(i), batch.hours().get(i), new ArrayList<>(row.getCells())));
    }
    return found;
  }
}
