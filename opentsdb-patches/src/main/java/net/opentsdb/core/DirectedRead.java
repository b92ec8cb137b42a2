package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import io.packhorse.schema.key.SeriesSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.hbase.async.Bytes;
import org.hbase.async.FuzzyRowFilter;
import org.hbase.async.FuzzyRowFilter.FuzzyFilterPair;
import org.hbase.async.Scanner;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of few series by their keys, where a scan would read those of all series of the
 * metric. Which series there are says the {@link SeriesIndex}. It knows those with packed cells;
 * for others, family {@code t} is scanned as ever.
 *
 * <p>For one query; any thread.
 */
@NullMarked
final class DirectedRead {
  /** Scans all series. */
  static final DirectedRead NONE =
      new DirectedRead(null, bucket -> null, new byte[0], null, RowReduction.NONE, false, 0, 0);

  /** Most series read by their keys: HBase compares each row with each of them. */
  private static final int SERIES_MAX = 512;

  /** A row found by its key costs as much as so many that a scan passes over. */
  private static final int COST_OF_KEY = 8;

  private final @Nullable SeriesIndex index;
  private final IntFunction<@Nullable Scanner> scanners;
  private final byte[] metric;
  private final @Nullable SeriesSelection selection;
  private final RowReduction reduction;
  private final boolean deletes;
  private final long fromSeconds;
  private final long toSeconds;
  private @Nullable Deferred<@Nullable Choice> choice;

  /**
   * The series that are read by their keys.
   *
   * @param keys what rows of them look like, by salt bucket
   * @param tags of all of them, as in row keys
   */
  record Few(Map<Integer, List<FuzzyFilterPair>> keys, Set<ByteBuffer> tags) {
    boolean hasRow(byte[] rowKey) {
      int from = Const.SALT_WIDTH() + TSDB.metrics_width() + Const.TIMESTAMP_BYTES;
      return tags.contains(ByteBuffer.wrap(rowKey, from, rowKey.length - from));
    }

    boolean has(byte[] seriesTags) {
      return tags.contains(ByteBuffer.wrap(seriesTags));
    }
  }

  /**
   * How a query is answered.
   *
   * @param few series to read by their keys; null to scan all
   * @param summaries how they are used; null if they are not
   */
  record Choice(@Nullable Few few, @Nullable SummaryPlan summaries) {}

  /**
   * For a query of the data table.
   *
   * @param index null to scan all
   * @param scanners makes another scanner of the query's rows in a salt bucket
   * @param reduction what becomes of the rows
   * @param deletes whether the query deletes the rows that it reads
   * @param fromSeconds base time of the first row of the scanners
   * @param toSeconds after that of the last one
   */
  DirectedRead(
      @Nullable SeriesIndex index,
      IntFunction<@Nullable Scanner> scanners,
      byte[] metric,
      @Nullable SeriesSelection selection,
      RowReduction reduction,
      boolean deletes,
      long fromSeconds,
      long toSeconds) {
    this.index = index;
    this.scanners = scanners;
    this.metric = metric;
    this.selection = selection;
    this.reduction = reduction;
    this.deletes = deletes;
    this.fromSeconds = fromSeconds;
    this.toSeconds = toSeconds;
  }

  /**
   * The rows of a salt bucket.
   *
   * @param all reads them in a scan; not started
   * @param memory takes memory for the query, or gives it back
   */
  BucketRows rows(Scanner all, int bucket, LongConsumer memory) {
    return new BucketRows(this, all, bucket, memory);
  }

  /**
   * How the query is answered; null for a scan of all rows. Completes with an error only if the
   * query deletes and this cannot be recorded: then no row may be read.
   */
  synchronized Deferred<@Nullable Choice> choice() {
    SeriesIndex known = index;
    if (known == null) {
      return Deferred.fromResult(null);
    }
    Deferred<@Nullable Choice> mine = new Deferred<>();
    if (choice == null) {
      if (deletes) {
        choice =
            known
                .claimDeletion(metric, fromSeconds, toSeconds)
                .addCallbackDeferring(done -> choose(known));
      } else {
        choice = choose(known);
      }
    }
    choice.addCallbacks(
        chosen -> {
          mine.callback(chosen);
          return chosen;
        },
        (Exception e) -> {
          mine.callback(e);
          return e;
        });
    return mine;
  }

  private Deferred<@Nullable Choice> choose(SeriesIndex known) {
    SeriesSelection asked = selection;
    if (asked == null || asked.isAll()) {
      if (reduction.shape(fromSeconds, toSeconds) == null) {
        return Deferred.fromResult(null);
      }
      return known.state().addCallback(state -> choose(known, null, state));
    }
    return known
        .of(metric)
        .addCallback(
            answer -> {
              Few few = few(asked, answer.series());
              known.used(few != null);
              return choose(known, few, answer.state());
            });
  }

  private @Nullable Choice choose(SeriesIndex known, @Nullable Few few, StoreState state) {
    SummaryPlan summaries = known.plan(state, metric, reduction.shape(fromSeconds, toSeconds));
    if (summaries != null) {
      reduction.use(summaries);
    }
    return few == null && summaries == null ? null : new Choice(few, summaries);
  }

  /** Null if they are not few. */
  private @Nullable Few few(SeriesSelection asked, @Nullable SeriesSet series) {
    if (series == null) {
      return null;
    }
    List<byte[]> selected = asked.of(series, Math.min(SERIES_MAX, series.series() / COST_OF_KEY));
    if (selected == null) {
      return null;
    }
    Map<Integer, List<FuzzyFilterPair>> keys = new HashMap<>();
    Set<ByteBuffer> tags = new HashSet<>();
    for (byte[] each : selected) {
      if (tags.add(ByteBuffer.wrap(each))) {
        byte[] key = key(each);
        keys.computeIfAbsent(bucket(key), b -> new ArrayList<>())
            .add(new FuzzyFilterPair(key, mask(key.length)));
      }
    }
    return new Few(keys, tags);
  }

  private byte[] key(byte[] tags) {
    int times = Const.SALT_WIDTH() + metric.length;
    byte[] key = new byte[times + Const.TIMESTAMP_BYTES + tags.length];
    System.arraycopy(metric, 0, key, Const.SALT_WIDTH(), metric.length);
    System.arraycopy(tags, 0, key, times + Const.TIMESTAMP_BYTES, tags.length);
    RowKey.prefixKeyWithSalt(key);
    return key;
  }

  private static int bucket(byte[] key) {
    int bucket = 0;
    for (int i = 0; i < Const.SALT_WIDTH(); i++) {
      bucket = (bucket << Byte.SIZE) | (key[i] & 0xff);
    }
    return bucket;
  }

  /** 0 where a row's key must have the byte, 1 at its time. */
  private static byte[] mask(int length) {
    byte[] mask = new byte[length];
    int times = Const.SALT_WIDTH() + TSDB.metrics_width();
    Arrays.fill(mask, times, times + Const.TIMESTAMP_BYTES, (byte) 1);
    return mask;
  }

  byte[] metric() {
    return metric;
  }

  /** Another scanner of all rows of the query in a salt bucket, both families. */
  Scanner all(int bucket) {
    Scanner scanner = scanners.apply(bucket);
    if (scanner == null) {
      throw new IllegalStateException("no scanner of salt bucket " + bucket);
    }
    return scanner;
  }

  /** A scanner of the rows with such keys, in one salt bucket, both families. */
  Scanner byKeys(int bucket, List<FuzzyFilterPair> keys) {
    Scanner scanner = all(bucket);
    // HBase looks for the next row from the smallest key on.
    keys.sort((a, b) -> Bytes.memcmp(a.getRowKey(), b.getRowKey()));
    scanner.setFilter(new FuzzyRowFilter(keys));
    return scanner;
  }
}
