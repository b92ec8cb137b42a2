package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourPacker.SealedAgain;
import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.loader.read.hbase.HBaseRows;
import io.packhorse.loader.read.hbase.LoaderColumns;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.PackedCellHeader;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the packed cells of given loaders hold. One thread.
 *
 * @param points of different series or time
 * @param repeated points of the cells whose series and time another cell has, too
 * @param rows with such cells
 * @param columns those cells
 */
record StoredPoints(long points, long repeated, long rows, long columns) {
  private static final int ROWS_A_LOOKUP = 256;

  /** Reads all of them. */
  static StoredPoints of(StoreConnection from, List<LoaderId> loaders, Announcer announcer)
      throws IOException {
    AtomicLong points = new AtomicLong();
    AtomicLong inCells = new AtomicLong();
    AtomicLong rows = new AtomicLong();
    AtomicLong columns = new AtomicLong();
    RowPoints reader = new RowPoints();
    try (Announcer.Progress progress = counting(points, announcer)) {
      new LoaderColumns(from.cluster().connection(), from.layout().dataTable())
          .scan(
              loaders,
              row -> {
                points.addAndGet(points(row, reader).count());
                inCells.addAndGet(inCells(row));
                rows.incrementAndGet();
                columns.addAndGet(row.columns().size());
              });
    }
    return new StoredPoints(points.get(), inCells.get() - points.get(), rows.get(), columns.get());
  }

  /**
   * Points that the packer counted more than once. No more than the cells repeat: what is missing
   * beyond that was lost, and must not pass for replaced.
   *
   * @param packed points that the packer counted
   */
  Repeats repeats(long packed) {
    long fewer = Math.max(0, packed - points);
    return new Repeats(Math.min(fewer, repeated), fewer <= repeated, Optional.empty());
  }

  /**
   * Finds points of equal series and time in cells that one process has sealed apart.
   *
   * @param hours that have such cells
   * @param resolver knows their series
   */
  static Repeats repeats(
      StoreConnection from,
      List<LoaderId> loaders,
      SealedAgain hours,
      SeriesResolver resolver,
      Announcer announcer)
      throws IOException {
    Set<Integer> wanted = loaders.stream().map(LoaderId::id).collect(Collectors.toSet());
    long[] keys = Arrays.stream(hours.keys()).sorted().distinct().toArray();
    HBaseRows rows = from.rows();
    RowPoints reader = new RowPoints();
    AtomicLong read = new AtomicLong();
    long repeated = 0;
    RepeatedTime first = null;
    try (Announcer.Progress progress = counting(read, announcer)) {
      for (int start = 0; start < keys.length; start += ROWS_A_LOOKUP) {
        int end = Math.min(keys.length, start + ROWS_A_LOOKUP);
        List<StoredRow> found = rows.get(rowKeys(keys, start, end, from, resolver));
        for (int i = 0; i < found.size(); i++) {
          StoredRow own = ofLoaders(found.get(i), wanted);
          long distinct = points(own, reader).count();
          long more = inCells(own) - distinct;
          repeated += more;
          read.addAndGet(distinct);
          if (more > 0 && first == null) {
            first = first(own, keys[start + i], reader);
          }
        }
      }
    }
    return new Repeats(repeated, true, Optional.ofNullable(first));
  }

  private static Announcer.Progress counting(AtomicLong points, Announcer announcer) {
    return announcer.progress(
        () ->
            Announcer.Status.of(
                "verify", HumanNumbers.count(points.get(), "point", "points") + " counted so far"));
  }

  private static List<byte[]> rowKeys(
      long[] keys, int start, int end, StoreConnection from, SeriesResolver resolver) {
    List<byte[]> rowKeys = new ArrayList<>();
    for (int i = start; i < end; i++) {
      rowKeys.add(
          from.layout().rowKeys().rowKey(resolver.tsuid(series(keys[i])), seconds(keys[i])));
    }
    return rowKeys;
  }

  static int series(long key) {
    return (int) (key >>> Integer.SIZE);
  }

  static long seconds(long key) {
    return (int) key * (long) BaseTime.HOUR_SECONDS;
  }

  private static StoredRow ofLoaders(StoredRow row, Set<Integer> loaders) {
    return new StoredRow(
        row.rowKey(),
        row.columns().stream()
            .filter(
                column ->
                    column.packed()
                        && PackedQualifier.matches(column.qualifier())
                        && loaders.contains(PackedQualifier.parse(column.qualifier()).loaderId()))
            .toList());
  }

  private static long inCells(StoredRow row) throws IOException {
    long sum = 0;
    try {
      for (StoredColumn column : row.columns()) {
        sum += PackedCellHeader.parse(column.value()).count();
      }
    } catch (MalformedCellException e) {
      throw new IOException(e.getMessage(), e);
    }
    return sum;
  }

  private static PointBlock points(StoredRow row, RowPoints reader) throws IOException {
    try {
      return reader.of(row);
    } catch (MalformedCellException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The first time that two cells of a row hold. */
  private static @Nullable RepeatedTime first(StoredRow row, long key, RowPoints reader)
      throws IOException {
    Set<Integer> seen = new HashSet<>();
    for (StoredColumn column : row.columns()) {
      PointBlock block = points(new StoredRow(row.rowKey(), List.of(column)), reader);
      for (int i = 0; i < block.count(); i++) {
        if (!seen.add(block.offsetsMs()[i])) {
          return new RepeatedTime(series(key), seconds(key) * 1000 + block.offsetsMs()[i]);
        }
      }
    }
    return null;
  }
}
