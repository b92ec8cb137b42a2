package net.opentsdb.core;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.opentsdb.meta.Annotation;
import net.opentsdb.utils.JSON;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges a row that has a packed cell into the one column that a query reads.
 *
 * <p>Stands in for OpenTSDB's compaction of such rows. A packed column that has only annotations
 * beside it stays as it is; else all columns of points become the one compacted column that
 * OpenTSDB would have made of them, so that upstream's code reads it unchanged. Annotations and
 * histograms go to their lists. Of points with equal times the one in the column of highest
 * precedence counts ({@link PointColumn}); the others are dropped silently. Nothing is written or
 * deleted, whatever the configuration says, append repair included.
 *
 * <p>Static methods, any thread: HBase's answers arrive on several.
 */
@NullMarked
final class PackedRow {
  private static final Logger LOG = LoggerFactory.getLogger(PackedRow.class);

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** Objects for reading a row, reused by the next row on the same thread. */
  private static final class Scratch {
    final PackedCellDecoder decoder = new PackedCellDecoder();
    final PointBlock points = new PointBlock();
    final ByteWriter qualifier = new ByteWriter(0);
    final ByteWriter value = new ByteWriter(0);
  }

  private PackedRow() {}

  /** Whether a row has a packed cell, or stands for what summaries have of a series. */
  static boolean matches(List<KeyValue> row) {
    for (KeyValue cell : row) {
      if (PointColumn.matches(cell) || SummaryPlan.matches(cell)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a column of OpenTSDB's own is what compaction would make of it: several points, times
   * rising, a value of the stated lengths and the right last byte.
   */
  static boolean isCompacted(KeyValue cell) {
    byte[] qualifier = cell.qualifier();
    byte[] value = cell.value();
    int valueBytes = 0;
    int last = -1;
    boolean seconds = false;
    boolean millis = false;
    int at = 0;
    while (at < qualifier.length) {
      boolean inMillis = Internal.inMilliseconds(qualifier[at]);
      int length = inMillis ? 4 : 2;
      if (at + length > qualifier.length) {
        return false;
      }
      int offset = Internal.getOffsetFromQualifier(qualifier, at);
      if (offset <= last) {
        return false;
      }
      last = offset;
      valueBytes += (qualifier[at + length - 1] & Const.LENGTH_MASK) + 1;
      seconds |= !inMillis;
      millis |= inMillis;
      at += length;
    }
    return valueBytes + 1 == value.length
        && value[valueBytes] == (seconds && millis ? Const.MS_MIXED_COMPACT : 0);
  }

  /**
   * Merges a row for which {@link #matches} is true into one column.
   *
   * @param annotations gets the row's annotations
   * @param histograms gets the row's histograms
   * @return the packed cell, if it is the only column of points; else a new cell in family {@code
   *     t}: all points in one compacted column, times rising
   * @throws IllegalDataException if a column has to be read and is malformed
   */
  static KeyValue merge(
      TSDB tsdb,
      List<KeyValue> row,
      List<Annotation> annotations,
      List<HistogramDataPoint> histograms) {
    if (SummaryPlan.matches(row.get(0))) {
      return row.get(0);
    }
    List<PointColumn> columns = new ArrayList<>(row.size());
    for (KeyValue cell : row) {
      if (PointColumn.holdsPoints(cell)) {
        columns.add(PointColumn.of(cell));
      } else {
        readExtended(tsdb, cell, annotations, histograms);
      }
    }
    KeyValue first = columns.get(0).cell();
    return columns.size() == 1 && PointColumn.matches(first) ? first : merged(columns);
  }

  /** All points of a row in one compacted column, without annotations and histograms. */
  static KeyValue points(List<KeyValue> row) {
    List<PointColumn> columns = new ArrayList<>(row.size());
    for (KeyValue cell : row) {
      if (PointColumn.holdsPoints(cell)) {
        columns.add(PointColumn.of(cell));
      }
    }
    return merged(columns);
  }

  /** The packed cell's points as a compacted column. */
  static KeyValue expand(KeyValue cell) {
    return merged(List.of(PointColumn.of(cell)));
  }

  /** All points of a row, each as a cell of its own, as OpenTSDB splits its own rows. */
  static List<Internal.Cell> cells(List<KeyValue> row) {
    return Internal.extractDataPoints(points(row));
  }

  /** Decodes a packed cell. */
  static void decode(KeyValue cell, PointBlock into) {
    PointColumn.of(cell).read(SCRATCH.get().decoder, into);
  }

  /** The points of a row, in a block of this thread that the next call overwrites. */
  static PointBlock decode(PackedRowSeq row) {
    PointBlock points = SCRATCH.get().points;
    row.read(points);
    return points;
  }

  /** This thread's decoder. */
  static PackedCellDecoder decoder() {
    return SCRATCH.get().decoder;
  }

  private static KeyValue merged(List<PointColumn> unordered) {
    Scratch scratch = SCRATCH.get();
    if (unordered.size() == 1) {
      unordered.get(0).read(scratch.decoder, scratch.points);
    } else {
      List<PointColumn> columns = new ArrayList<>(unordered);
      Collections.sort(columns);
      List<PointBlock> blocks = new ArrayList<>(columns.size());
      for (PointColumn column : columns) {
        PointBlock block = new PointBlock(0);
        column.read(scratch.decoder, block);
        blocks.add(block);
      }
      merge(blocks, scratch.points);
    }
    scratch.qualifier.reset();
    scratch.value.reset();
    CompactedCell.encode(scratch.points, scratch.qualifier, scratch.value);
    return new KeyValue(
        unordered.get(0).cell().key(),
        TSDB.FAMILY(),
        scratch.qualifier.toByteArray(),
        scratch.value.toByteArray());
  }

  /**
   * Merges blocks into one; among equal times the point of the first block that has the time wins.
   */
  static void merge(List<PointBlock> blocks, PointBlock into) {
    into.clear();
    int[] next = new int[blocks.size()];
    while (true) {
      int earliest = PointBlock.HOUR_MS;
      int winner = -1;
      for (int i = 0; i < next.length; i++) {
        PointBlock block = blocks.get(i);
        if (next[i] < block.count() && block.offsetsMs()[next[i]] < earliest) {
          earliest = block.offsetsMs()[next[i]];
          winner = i;
        }
      }
      if (winner < 0) {
        return;
      }
      PointBlock from = blocks.get(winner);
      into.add(earliest, from.values()[next[winner]], from.isDouble()[next[winner]]);
      for (int i = 0; i < next.length; i++) {
        PointBlock block = blocks.get(i);
        if (next[i] < block.count() && block.offsetsMs()[next[i]] == earliest) {
          next[i]++;
        }
      }
    }
  }

  /** Annotations, histograms and unknown columns, treated as in OpenTSDB's compaction. */
  private static void readExtended(
      TSDB tsdb, KeyValue cell, List<Annotation> annotations, List<HistogramDataPoint> histograms) {
    byte[] qualifier = cell.qualifier();
    byte prefix = qualifier.length == 0 ? 0 : qualifier[0];
    if (prefix == Annotation.PREFIX()) {
      annotations.add(JSON.parseToObject(cell.value(), Annotation.class));
    } else if (prefix == HistogramDataPoint.PREFIX) {
      try {
        histograms.add(Internal.decodeHistogramDataPoint(tsdb, cell));
      } catch (RuntimeException e) {
        LOG.error("Failed to decode histogram data point", e);
      }
    } else {
      LOG.warn("Ignoring unexpected extended format type " + prefix);
    }
  }
}
