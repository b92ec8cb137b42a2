package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.hbase.async.FuzzyRowFilter.FuzzyFilterPair;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one salt bucket that a query reads: all of a scan, or those of some series by their
 * keys and then, of family {@code t} alone, those of other series, or what summaries leave to be
 * read. The rows of a series come in the order of time. One call after the other.
 */
@NullMarked
@SuppressWarnings("NonApiType") // types of the HBase client
final class BucketRows {
  private final DirectedRead read;
  private final Scanner all;
  private final int bucket;
  private final LongConsumer memory;
  private boolean begun;
  private volatile DirectedRead.@Nullable Few chosen;
  private volatile @Nullable SummaryRows summaries;
  private volatile @Nullable Scanner byKeys;

  /** The first rows of other series, fetched while those of the chosen ones are. */
  private @Nullable Deferred<ArrayList<ArrayList<KeyValue>>> others;

  BucketRows(DirectedRead read, Scanner all, int bucket, LongConsumer memory) {
    this.read = read;
    this.all = all;
    this.bucket = bucket;
    this.memory = memory;
  }

  /** The next rows; null at the end. Possibly none, with more to come. */
  Deferred<ArrayList<ArrayList<KeyValue>>> next() {
    if (begun) {
      return more();
    }
    begun = true;
    return read.choice()
        .addCallbackDeferring(
            choice -> {
              if (choice != null) {
                begin(choice);
              }
              return more();
            });
  }

  private void begin(DirectedRead.Choice choice) {
    DirectedRead.Few few = choice.few();
    List<FuzzyFilterPair> keys = few == null ? null : few.keys().get(bucket);
    SummaryPlan plan = choice.summaries();
    if (plan != null) {
      summaries =
          new SummaryRows(
              plan,
              read.metric(),
              bucket,
              () -> read.all(bucket),
              few,
              keys == null ? null : () -> read.byKeys(bucket, keys),
              memory);
      return;
    }
    chosen = few;
    if (keys != null) {
      byKeys = read.byKeys(bucket, keys);
    }
    all.setFamily(TSDB.FAMILY());
    others = all.nextRows();
  }

  private Deferred<ArrayList<ArrayList<KeyValue>>> more() {
    SummaryRows summarised = summaries;
    if (summarised != null) {
      return summarised.next();
    }
    DirectedRead.Few choice = chosen;
    if (choice == null) {
      return all.nextRows();
    }
    Scanner directed = byKeys;
    return directed == null
        ? moreOthers(choice)
        : directed.nextRows().addCallbackDeferring(rows -> of(choice, rows));
  }

  private Deferred<ArrayList<ArrayList<KeyValue>>> of(
      DirectedRead.Few choice, @Nullable ArrayList<ArrayList<KeyValue>> rows) {
    if (rows == null) {
      byKeys = null;
      return moreOthers(choice);
    }
    // The filter also lets rows with further tags pass.
    rows.removeIf(row -> !choice.hasRow(row.get(0).key()));
    return Deferred.fromResult(rows);
  }

  private Deferred<ArrayList<ArrayList<KeyValue>>> moreOthers(DirectedRead.Few choice) {
    Deferred<ArrayList<ArrayList<KeyValue>>> rows = others;
    others = null;
    return (rows == null ? all.nextRows() : rows)
        .addCallback(
            next -> {
              if (next != null) {
                next.removeIf(row -> choice.hasRow(row.get(0).key()));
              }
              return next;
            });
  }

  /** Ends the scans. */
  void close() {
    SummaryRows summarised = summaries;
    if (summarised != null) {
      summarised.close();
    }
    Scanner directed = byKeys;
    if (directed != null) {
      directed.close();
    }
    all.close();
  }
}
