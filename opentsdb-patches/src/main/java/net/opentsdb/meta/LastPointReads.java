package net.opentsdb.meta;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.CallbackLoop;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.Internal;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.QueryTimeout;
import net.opentsdb.core.RowKey;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.Tags;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.uid.UniqueId.UniqueIdType;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

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
  private final boolean resolveNames;
  private final int backScan;
  private final AtomicLong skipped;
  private final long limitMs;
  private final long deadlineMs;
  private final ArrayList<IncomingDataPoint> points = QueryMemory.list(1024);
  private final Deque<Batch> calls = new ArrayDeque<>();

  /**
   * @param series their TSUIDs
   * @param hours base times of the rows in seconds
   * @param rows in the same order, when they arrive
   */
  private record Batch(
      List<byte[]> series, List<Long> hours, Deferred<List<GetResultOrException>> rows) {}

  private LastPointReads(
      TSDB tsdb, ByteMap<Long> lastWrites, boolean resolveNames, int backScan, AtomicLong skipped) {
    this.tsdb = tsdb;
    this.lastWrites = lastWrites.iterator();
    this.resolveNames = resolveNames;
    this.backScan = backScan;
    this.skipped = skipped;
    limitMs = QueryTimeout.limitMs(tsdb);
    deadlineMs = limitMs > 0 ? System.currentTimeMillis() + limitMs : Long.MAX_VALUE;
  }

  /**
   * The last points of some series.
   *
   * @param lastWrites time of the last write in milliseconds, by TSUID; the search begins in its
   *     hour, or in the present one for 0
   * @param resolveNames whether points get the names of metric and tags
   * @param backScan how many more hours are searched
   * @param skipped counts damaged cells that were left out
   * @return those found; completes with an error if a row cannot be read, or with a timeout
   */
  public static Deferred<ArrayList<IncomingDataPoint>> of(
      TSDB tsdb, ByteMap<Long> lastWrites, boolean resolveNames, int backScan, AtomicLong skipped) {
    LastPointReads reads = new LastPointReads(tsdb, lastWrites, resolveNames, backScan, skipped);
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
      byte[] tsuid = batch.series().get(i);
      found.add(
          new BackScan(tsdb, tsuid, batch.hours().get(i), backScan, skipped)
              .from(new ArrayList<>(row.getCells()))
              .addCallbackDeferring(point -> named(tsuid, point)));
    }
    return found;
  }

  private Deferred<IncomingDataPoint> named(byte[] tsuid, @Nullable IncomingDataPoint point) {
    if (point == null || !resolveNames) {
      return Deferred.fromResult(point);
    }
    byte[] metric = Arrays.copyOf(tsuid, TSDB.metrics_width());
    return tsdb.getUidName(UniqueIdType.METRIC, metric)
        .addCallbackDeferring(
            name -> {
              point.setMetric(name);
              return Tags.resolveIdsAsync(tsdb, UniqueId.getTagPairsFromTSUID(tsuid));
            })
        .addCallback(
            tags -> {
              point.setTags(tags);
              return point;
            });
  }
}
