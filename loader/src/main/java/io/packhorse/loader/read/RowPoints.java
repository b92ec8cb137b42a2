package io.packhorse.loader.read;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Decodes all cells of a row and merges their points, as the TSD does. Of points of equal time the
 * one with the greater cell timestamp wins, then packed over OpenTSDB's own, then the greater
 * loader id, then the greater part; of OpenTSDB's own columns of one timestamp the first in the row
 * wins.
 *
 * <p>Reusable; one thread. The blocks it returns belong to it.
 */
public final class RowPoints {
  /** Lowest precedence first. */
  private static final Comparator<StoredColumn> PRECEDENCE =
      Comparator.comparingLong(StoredColumn::stampMs)
          .thenComparing(StoredColumn::packed)
          // Packed qualifiers sort as bytes by loader id, then part.
          .thenComparing(
              (a, b) -> a.packed() ? Arrays.compareUnsigned(a.qualifier(), b.qualifier()) : 0);

  private record Malformed(StoredColumn column, MalformedCellException reason) {}

  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock merged = new PointBlock();
  private final PointBlock column = new PointBlock();
  private int columns;

  /** Points of all columns that decode, one column after the other. */
  private int gathered;

  /** Whether their times rise strictly from the first to the last. */
  private boolean rising;

  private int[] offsets = {};
  private long[] values = {};
  private boolean[] isDouble = {};
  private int[] columnOf = {};
  private long[] order = {};

  /** Hears of columns that cannot be decoded. */
  public interface Broken {
    /**
     * A column is left out, unless this throws.
     *
     * @param reason why it cannot be decoded
     */
    void column(StoredColumn column, MalformedCellException reason) throws MalformedCellException;
  }

  /**
   * Decodes and merges a row.
   *
   * @return its points; valid until the next call
   * @throws MalformedCellException if a column of points does not decode
   */
  public PointBlock of(StoredRow row) throws MalformedCellException {
    return of(
        row,
        (broken, reason) -> {
          throw reason;
        });
  }

  /**
   * As {@link #of(StoredRow)}.
   *
   * @param broken told of each column of points that does not decode; the others are merged
   */
  public PointBlock of(StoredRow row, Broken broken) throws MalformedCellException {
    List<StoredColumn> ofPoints = new ArrayList<>(row.columns().size());
    for (StoredColumn stored : row.columns()) {
      if (stored.holdsPoints()) {
        ofPoints.add(stored);
      }
    }
    columns = ofPoints.size();
    gathered = 0;
    rising = true;
    merged.clear();
    if (columns == 1) {
      gathered = decode(ofPoints.get(0), merged, broken) ? merged.count() : 0;
      return merged;
    }
    List<Malformed> malformed = new ArrayList<>(0);
    for (int i = 0; i < columns; i++) {
      if (decode(ofPoints.get(i), column, (of, why) -> malformed.add(new Malformed(of, why)))) {
        gather(i);
      }
    }
    tell(malformed, broken);
    if (rising) {
      takeAll();
    } else {
      merge(ofPoints);
    }
    return merged;
  }

  /** Columns of points in the row given last, those that did not decode included. */
  public int columns() {
    return columns;
  }

  /** Points in the columns of the row decoded last whose time another column wins. */
  public int replaced() {
    return gathered - merged.count();
  }

  /** Tells of the column with the highest precedence first. */
  private static void tell(List<Malformed> malformed, Broken broken) throws MalformedCellException {
    malformed.sort(Comparator.comparing(Malformed::column, PRECEDENCE.reversed()));
    for (Malformed each : malformed) {
      broken.column(each.column(), each.reason());
    }
  }

  private boolean decode(StoredColumn stored, PointBlock into, Broken broken)
      throws MalformedCellException {
    try {
      if (stored.packed()) {
        decoder.decode(stored.value(), into);
      } else {
        CompactedCell.decode(stored.qualifier(), stored.value(), into);
      }
      return true;
    } catch (MalformedCellException e) {
      into.clear();
      broken.column(stored, e);
      return false;
    }
  }

  private void gather(int number) {
    int count = column.count();
    if (count == 0) {
      return;
    }
    if (gathered + count > offsets.length) {
      int room = Math.max(gathered + count, 2 * offsets.length);
      offsets = Arrays.copyOf(offsets, room);
      values = Arrays.copyOf(values, room);
      isDouble = Arrays.copyOf(isDouble, room);
      columnOf = Arrays.copyOf(columnOf, room);
      order = new long[room];
    }
    rising &= gathered == 0 || column.offsetsMs()[0] > offsets[gathered - 1];
    System.arraycopy(column.offsetsMs(), 0, offsets, gathered, count);
    System.arraycopy(column.values(), 0, values, gathered, count);
    System.arraycopy(column.isDouble(), 0, isDouble, gathered, count);
    Arrays.fill(columnOf, gathered, gathered + count, number);
    gathered += count;
  }

  /** The columns of live points are in order of time in most rows: nothing is to be merged. */
  private void takeAll() {
    merged.ensureCapacity(gathered);
    System.arraycopy(offsets, 0, merged.offsetsMs(), 0, gathered);
    System.arraycopy(values, 0, merged.values(), 0, gathered);
    System.arraycopy(isDouble, 0, merged.isDouble(), 0, gathered);
    merged.filled(gathered);
  }

  /** A row of live points has thousands of columns: one sort, instead of a merge for each. */
  private void merge(List<StoredColumn> ofPoints) {
    for (int i = 0; i < gathered; i++) {
      order[i] = (long) offsets[i] << 32 | i;
    }
    Arrays.sort(order, 0, gathered);
    merged.ensureCapacity(gathered);
    for (int i = 0; i < gathered; i++) {
      int best = (int) order[i];
      int offset = offsets[best];
      // Equal times are beside each other, in the order of their columns; the first wins a draw.
      for (; i + 1 < gathered && order[i + 1] >>> 32 == offset; i++) {
        int other = (int) order[i + 1];
        if (PRECEDENCE.compare(ofPoints.get(columnOf[best]), ofPoints.get(columnOf[other])) < 0) {
          best = other;
        }
      }
      merged.add(offset, values[best], isDouble[best]);
    }
  }
}
