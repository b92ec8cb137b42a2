package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SeriesBlock;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.key.SeriesSet;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.utils.LimitedLogger;
import org.hbase.async.Bytes;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;
import org.hbase.async.Scanner;
import org.hbase.async.TableNotFoundException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which series of a metric have packed cells, by the index that loaders write ({@code
 * docs/format.md}, section 16). Kept in memory, and brought up to date at each question: a series
 * whose first cell was stored before the question is in the answer. What is wrong with the index is
 * logged, and the answer is then that nothing is known.
 *
 * <p>One instance a TSD, any thread.
 */
@NullMarked
public final class SeriesIndex {
  private static final Logger LOG = LimitedLogger.of(LoggerFactory.getLogger(SeriesIndex.class));
  private static final byte[] TABLE = ascii(StoreTables.JOBS);
  private static final byte[] FAMILY = ascii(StoreTables.JOB_FAMILY);
  private static final byte[] BLOCK = ascii(SeriesIndexRow.BLOCK);

  /** All metrics together take at most this share of the heap. */
  private static final int HEAP_SHARE = 8;

  /** A block has some 100 KiB. */
  private static final int BLOCKS_A_CALL = 16;

  private static final long END_HOUR = RowKeyLayout.END_OF_TIME / BaseTime.HOUR_SECONDS;

  private static final long RETRY_NANOS = 60_000_000_000L;

  private final HBaseClient client;
  private final String dataTable;
  private final UidWidths widths =
      new UidWidths(TSDB.metrics_width(), TSDB.tagk_width(), TSDB.tagv_width());
  private final long bytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;

  /** In the order of their last use; guarded by this object, as are the next two. */
  private final LinkedHashMap<Metric, Known> metrics = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Metric, Deferred<@Nullable Object>> loading = new HashMap<>();
  private long bytes;

  private final LongAdder byKeys = new LongAdder();
  private final LongAdder scans = new LongAdder();
  private final LongAdder summarised = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** When the index could not be used; 0 if it could. */
  private volatile long failedAt;

  /**
   * An answer.
   *
   * @param series null if the index is not whole or cannot be used
   */
  record Answer(@Nullable SeriesSet series, StoreState state) {
    static final Answer NONE = new Answer(null, StoreState.NONE);
  }

  /** A metric as a key of maps. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its bytes
  private record Metric(byte[] uid) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Metric that && Arrays.equals(uid, that.uid);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(uid);
    }

    @Override
    public String toString() {
      return Bytes.pretty(uid);
    }
  }

  /**
   * What has been read of a metric.
   *
   * @param generation when the index was begun
   * @param next number of the next block; of the last one if that is open
   * @param closed series of blocks that stay as they are
   * @param all these and those of the open block; null if there are too many to keep
   * @param open the open block as it is stored
   */
  private record Known(
      long generation,
      int next,
      SeriesSet closed,
      @Nullable SeriesSet all,
      byte @Nullable [] open) {
    Known(long generation) {
      this(generation, 0, SeriesSet.EMPTY, SeriesSet.EMPTY, null);
    }

    Known with(byte[] value, UidWidths widths) throws MalformedCellException {
      if (Arrays.equals(value, open)) {
        return this;
      }
      SeriesBlock block = SeriesBlock.decode(widths, value);
      SeriesSet more = closed.with(block);
      return block.series() < SeriesBlock.OPEN_BELOW
          ? new Known(generation, next, closed, more, value)
          : new Known(generation, next + 1, more, more, null);
    }

    long bytes() {
      return all == null ? 0 : all.bytes();
    }
  }

  /** Made by the TSDB that it belongs to, when widths are known. */
  SeriesIndex(HBaseClient client, String dataTable) {
    this.client = client;
    this.dataTable = dataTable;
  }

  /**
   * The series of a metric that have packed cells.
   *
   * @return never completes with an error
   */
  Deferred<Answer> of(byte[] metric) {
    if (failedLately()) {
      return Deferred.fromResult(Answer.NONE);
    }
    Metric key = new Metric(metric);
    Deferred<@Nullable Object> before = new Deferred<>();
    synchronized (this) {
      Deferred<@Nullable Object> first = loading.get(key);
      if (first != null) {
        // All of it is being read: then only what has changed since.
        first.addBoth(
            done -> {
              before.callback(null);
              return done;
            });
        return before.addCallbackDeferring(done -> of(metric));
      }
      if (!metrics.containsKey(key)) {
        loading.put(key, before);
      }
    }
    return upToDate(key)
        .addErrback((Exception e) -> failed(e, Answer.NONE))
        .addBoth(
            result -> {
              synchronized (this) {
                loading.remove(key, before);
              }
              before.callback(null);
              return result;
            });
  }

  /** What the index and the summaries answer for; never completes with an error. */
  Deferred<StoreState> state() {
    return failedLately()
        ? Deferred.fromResult(StoreState.NONE)
        : row().addCallback(StoreState::of).addErrback((Exception e) -> failed(e, StoreState.NONE));
  }

  private boolean failedLately() {
    return failedAt != 0 && System.nanoTime() - failedAt < RETRY_NANOS;
  }

  private <T> T failed(Exception e, T instead) {
    failedAt = System.nanoTime() | 1;
    LOG.warn(
        "The series index and summaries cannot be used, queries scan all series for a minute", e);
    return instead;
  }

  /** How a query uses summaries; null if it does not. */
  @Nullable SummaryPlan plan(StoreState state, byte[] metric, SummaryPlan.@Nullable Shape shape) {
    SummaryPlan plan =
        SummaryPlan.of(client, dataTable, state, metric, shape, this::state, failures);
    if (plan != null) {
      summarised.increment();
    }
    return plan;
  }

  /**
   * Says that rows are about to be deleted: their hours are read from the cells from now on, until
   * summaries are built again.
   *
   * @param fromSeconds of the first row, or after the row before it
   * @param toSeconds after the last one
   * @return completes with an error, and then nothing may be deleted, if that cannot be stored
   */
  Deferred<Object> claimDeletion(byte[] metric, long fromSeconds, long toSeconds) {
    long from = Math.max(0, BaseTime.ofSeconds(Math.min(fromSeconds, BaseTime.MAX_SECONDS)));
    long to = Math.min(toSeconds / BaseTime.HOUR_SECONDS + 1, END_HOUR) * BaseTime.HOUR_SECONDS;
    if (from >= to) {
      return Deferred.fromResult(null);
    }
    SummaryClaim claim = new SummaryClaim(SummaryClaim.Reason.DELETED, from, to, List.of(metric));
    PutRequest put =
        new PutRequest(
            TABLE,
            SeriesIndexRow.whole(dataTable),
            FAMILY,
            SummaryTable.otherClaim(ThreadLocalRandom.current().nextLong()),
            claim.encode());
    return client
        .put(put)
        .addErrback(
            (Exception e) -> {
              if (e instanceof TableNotFoundException) {
                return null; // Nobody has loaded packed cells.
              }
              throw e;
            });
  }

  @SuppressWarnings("NonApiType") // the client's own type
  private Deferred<ArrayList<KeyValue>> row() {
    return client.get(new GetRequest(TABLE, SeriesIndexRow.whole(dataTable), FAMILY));
  }

  /** Asks what the index answers for and for its next block at the same time. */
  private Deferred<Answer> upToDate(Metric metric) {
    Known known;
    synchronized (this) {
      known = metrics.get(metric);
    }
    int next = known == null ? 0 : known.next();
    return Deferred.groupInOrder(
            List.of(
                row(),
                client.get(
                    new GetRequest(
                        TABLE,
                        SeriesIndexRow.block(dataTable, metric.uid(), next),
                        FAMILY,
                        BLOCK))))
        .addCallbackDeferring(
            cells -> {
              StoreState state = StoreState.of(cells.get(0));
              return read(metric, known, state.index(), cells.get(1))
                  .addCallback(series -> new Answer(series, state));
            });
  }

  private Deferred<@Nullable SeriesSet> read(
      Metric metric, @Nullable Known before, long generation, List<KeyValue> next) {
    if (generation == 0) {
      return Deferred.fromResult(null);
    }
    failedAt = 0;
    boolean same = before != null && before.generation() == generation;
    Known known = before != null && same ? before : new Known(generation);
    boolean unchanged =
        same
            && (next.isEmpty()
                ? known.open() == null
                : Arrays.equals(next.get(0).value(), known.open()));
    if (unchanged || known.all() == null) {
      return Deferred.fromResult(known.all());
    }
    Scanner scanner = client.newScanner(TABLE);
    scanner.setStartKey(SeriesIndexRow.block(dataTable, metric.uid(), known.next()));
    scanner.setStopKey(SeriesIndexRow.end(dataTable, metric.uid()));
    scanner.setFamily(FAMILY);
    scanner.setQualifier(BLOCK);
    scanner.setMaxNumRows(BLOCKS_A_CALL);
    Reading reading = new Reading(metric, scanner, known);
    reading.next();
    return reading.result;
  }

  /** Reads blocks until there are no more. */
  private final class Reading implements Callback<Object, ArrayList<ArrayList<KeyValue>>> {
    private final Metric metric;
    private final Scanner scanner;
    private final Deferred<@Nullable SeriesSet> result = new Deferred<>();
    private Known known;
    private long rows;

    Reading(Metric metric, Scanner scanner, Known known) {
      this.metric = metric;
      this.scanner = scanner;
      this.known = known;
    }

    void next() {
      Callback<Object, Exception> failed =
          e -> {
            scanner.close();
            result.callback(e);
            return null;
          };
      QueryThreads.handOff(scanner.nextRows(), rows, this, failed);
    }

    @Override
    @SuppressWarnings({"NonApiType", "NullAway"}) // the client's type; a scanner's end is null
    public Object call(ArrayList<ArrayList<KeyValue>> blocks) throws Exception {
      if (blocks == null) {
        scanner.close();
        result.callback(keep(metric, known));
        return this;
      }
      rows += blocks.size();
      for (ArrayList<KeyValue> block : blocks) {
        KeyValue cell = block.get(0);
        if (SeriesIndexRow.number(cell.key()) != known.next()) {
          throw new IllegalStateException(
              "block " + known.next() + " is missing before row " + Bytes.pretty(cell.key()));
        }
        known = known.with(cell.value(), widths);
        if (known.bytes() > bytesMax) {
          LOG.warn(
              "The series of metric "
                  + metric
                  + " do not fit "
                  + (bytesMax >> 20)
                  + " MiB, queries of it scan all series; a larger heap (-Xmx) would help");
          known = new Known(known.generation(), 0, SeriesSet.EMPTY, null, null);
          scanner.close();
          result.callback(keep(metric, known));
          return this;
        }
      }
      next();
      return this;
    }
  }

  /** Keeps what was read, unless more has been read meanwhile; the least used metrics go. */
  private synchronized @Nullable SeriesSet keep(Metric metric, Known read) {
    Known before = metrics.get(metric);
    if (before == null
        || before.generation() != read.generation()
        || before.next() <= read.next()) {
      metrics.put(metric, read);
      bytes += read.bytes() - (before == null ? 0 : before.bytes());
      // The metric itself is the last one, and fits alone.
      Iterator<Known> oldest = metrics.values().iterator();
      while (bytes > bytesMax) {
        bytes -= oldest.next().bytes();
        oldest.remove();
      }
    }
    return read.all();
  }

  /** Counts a query that could use the index. */
  void used(boolean readsByKeys) {
    (readsByKeys ? byKeys : scans).increment();
  }

  /** Records for {@code /api/stats}. */
  void collectStats(StatsCollector to) {
    to.record("query.series_index", byKeys.sum(), "read=keys");
    to.record("query.series_index", scans.sum(), "read=scan");
    to.record("query.summaries", summarised.sum(), "result=used");
    to.record("query.summaries", failures.sum(), "result=failed");
    ValueFilter.collectStats(to);
    synchronized (this) {
      to.record("series_index.metrics", metrics.size());
      to.record("series_index.bytes", bytes);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
