package net.opentsdb.core;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellHeader;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.HexFormat;
import java.util.List;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * One column of points of a row, of any kind: packed, plain, compacted or append.
 *
 * <p>Sorted by precedence, the column whose points win first: higher cell timestamp, then higher
 * loader id, then higher part; with equal cell timestamps a packed column comes before one of
 * OpenTSDB's own.
 *
 * @param cell as HBase returned it, not copied
 * @param rank loader id and part as one number, {@link #UNRANKED} if the column is not packed
 */
@NullMarked
record PointColumn(KeyValue cell, long rank) implements Comparable<PointColumn> {
  private static final long UNRANKED = -1;

  /** Whether a cell is packed, in any family. */
  static boolean matches(KeyValue cell) {
    return PackedQualifier.matches(cell.qualifier());
  }

  /** Whether a cell holds points: packed ones or OpenTSDB's own. */
  static boolean holdsPoints(KeyValue cell) {
    return matches(cell) || CompactedCell.matches(cell.qualifier());
  }

  /**
   * How many points a cell holds, roughly for a compacted one of mixed resolution; 0 if it holds
   * none or cannot be read. For limits and statistics.
   */
  static int points(KeyValue cell) {
    byte[] qualifier = cell.qualifier();
    if (matches(cell)) {
      try {
        return PackedCellHeader.parse(cell.value()).count();
      } catch (MalformedCellException e) {
        return 0;
      }
    }
    if (CompactedCell.isAppend(qualifier)) {
      return appended(cell.value());
    }
    if ((qualifier.length & 1) != 0 || qualifier.length == 0) {
      return 0;
    }
    return Math.max(1, qualifier.length / (Internal.inMilliseconds(qualifier[0]) ? 4 : 2));
  }

  /**
   * How many points a row holds, see {@link #points(KeyValue)}; at least 1, since reading a row has
   * a cost.
   */
  static long points(List<KeyValue> row) {
    long points = 0;
    for (KeyValue cell : row) {
      points += points(cell);
    }
    return Math.max(1, points);
  }

  private static int appended(byte[] value) {
    int points = 0;
    int at = 0;
    while (at + 2 < value.length) {
      int length = Internal.inMilliseconds(value[at]) ? 4 : 2;
      int flags = at + length <= value.length ? value[at + length - 1] & Const.LENGTH_MASK : 0;
      at += length + flags + 1;
      points++;
    }
    return points;
  }

  /** The column of a cell for which {@link #holdsPoints} is true. */
  static PointColumn of(KeyValue cell) {
    return new PointColumn(
        cell, matches(cell) ? Bytes.getUnsignedInt(cell.qualifier(), 1) : UNRANKED);
  }

  /**
   * Replaces the block's points by those of the column.
   *
   * @throws IllegalDataException naming the row key, the column and the broken rule, if the bytes
   *     are malformed
   */
  void read(PackedCellDecoder decoder, PointBlock into) {
    try {
      if (rank == UNRANKED) {
        CompactedCell.decode(cell.qualifier(), cell.value(), into);
      } else {
        decoder.decode(cell.value(), into);
      }
    } catch (MalformedCellException e) {
      throw malformed(e);
    }
  }

  /**
   * The header of a packed column's cell.
   *
   * @throws IllegalDataException as for {@link #read}
   */
  PackedCellHeader header() {
    try {
      return PackedCellHeader.parse(cell.value());
    } catch (MalformedCellException e) {
      throw malformed(e);
    }
  }

  private IllegalDataException malformed(MalformedCellException e) {
    return new IllegalDataException(
        "Cannot read a column of points: row key="
            + HexFormat.of().formatHex(cell.key())
            + (rank == UNRANKED
                ? ", qualifier=" + HexFormat.of().formatHex(cell.qualifier())
                : ", loader id=" + (rank >>> 8) + ", part=" + (rank & 0xff))
            + ": "
            + e.getMessage(),
        e);
  }

  @Override
  public int compareTo(PointColumn other) {
    int byTime = Long.compare(other.cell.timestamp(), cell.timestamp());
    return byTime != 0 ? byTime : Long.compare(other.rank, rank);
  }
}
