package net.opentsdb.meta;

import com.stumbleupon.async.Deferred;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.ByteArrayPair;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a metric in {@code tsdb-meta} that may have some tags, where a scan would pass over
 * those of all its series. Tags are sorted by their keys in a row's key. So a row that has the
 * asked key first is found by its value, one with a larger key first cannot have it, and only those
 * with a smaller key first are all compared.
 *
 * <p>Used as a {@link Scanner}, whose order it keeps: one call after the other.
 */
@NullMarked
@SuppressWarnings("NonApiType") // types of the HBase client
public final class TagRows {
  private final Deque<Scanner> scanners = new ArrayDeque<>();

  private TagRows(Scanner... scanners) {
    this.scanners.addAll(Arrays.asList(scanners));
  }

  /** What a scanner returns. */
  public static TagRows of(Scanner scanner) {
    return new TagRows(scanner);
  }

  /**
   * What a scanner returns, rows left out that it would pass over.
   *
   * @param all makes a scanner of all rows that the question is about, not started
   * @param metric its UID; null for all metrics
   * @param tags what rows must have: UIDs of key and value, or of a key alone for any value; of
   *     several values of a key, any
   */
  public static TagRows of(
      Supplier<Scanner> all, byte @Nullable [] metric, @Nullable List<byte[]> tags) {
    if (metric == null || tags == null || tags.isEmpty()) {
      return of(all.get());
    }
    int keyBytes = TSDB.tagk_width();
    byte[] least = tags.stream().min(Bytes::memcmp).orElseThrow();
    byte[] key = Arrays.copyOf(least, keyBytes);
    byte[] greatest =
        tags.stream()
            .filter(tag -> Arrays.equals(tag, 0, keyBytes, key, 0, keyBytes))
            .max(Bytes::memcmp)
            .orElseThrow();
    // A key alone is less than the same with a value.
    byte[] last = least.length == keyBytes ? key : greatest;
    Scanner smallerKeyFirst = all.get();
    smallerKeyFirst.setStopKey(concat(metric, key));
    Scanner keyFirst = all.get();
    keyFirst.setStartKey(concat(metric, least));
    byte[] end = after(concat(metric, last));
    if (end != null) {
      keyFirst.setStopKey(end);
    }
    return new TagRows(smallerKeyFirst, keyFirst);
  }

  /**
   * The same for a lookup.
   *
   * @param pairs UIDs of key and value; one of them may be null for any
   */
  public static TagRows ofPairs(
      Supplier<Scanner> all, byte @Nullable [] metric, @Nullable List<ByteArrayPair> pairs) {
    if (pairs == null) {
      return of(all.get());
    }
    List<byte[]> tags = new ArrayList<>();
    for (ByteArrayPair pair : pairs) {
      if (pair.getKey() != null) {
        tags.add(pair.getValue() == null ? pair.getKey() : concat(pair.getKey(), pair.getValue()));
      }
    }
    return of(all, metric, tags);
  }

  /** Returns one column only. */
  public void setQualifier(byte[] qualifier) {
    scanners.forEach(scanner -> scanner.setQualifier(qualifier));
  }

  /** The next rows; null at the end. */
  public Deferred<@Nullable ArrayList<ArrayList<KeyValue>>> nextRows() {
    Scanner scanner = scanners.peek();
    if (scanner == null) {
      return Deferred.fromResult(null);
    }
    return scanner
        .nextRows()
        .addCallbackDeferring(
            rows -> {
              if (rows != null) {
                return Deferred.fromResult(rows);
              }
              scanners.remove();
              return nextRows();
            });
  }

  /** Ends the scan. */
  public void close() {
    Scanner scanner = scanners.peek();
    if (scanner != null) {
      scanner.close();
    }
    scanners.clear();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /**
   * The stop row of a scan over all keys with this prefix; null to scan to the end of the table.
   */
  private static byte @Nullable [] after(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != -1) {
        byte[] next = Arrays.copyOf(prefix, i + 1);
        next[i]++;
        return next;
      }
    }
    return null;
  }
}
