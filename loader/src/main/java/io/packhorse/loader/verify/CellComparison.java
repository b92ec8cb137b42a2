package io.packhorse.loader.verify;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.RowLookup;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares the stored points of a job with its input, which is loaded again into sinks of this
 * class. As in the load, the last of points of equal time counts: a difference disappears when a
 * later cell of the same row agrees with the store. Any number of threads, each with its own sink.
 */
public final class CellComparison {
  /** What is gathered, and the rows of a lookup, take at most this share of the heap. */
  private static final int HEAP_SHARE = 32;

  /** Memory of a small cell and of what is found for it. */
  private static final int CELL_BYTES = 1024;

  private static final int CELLS_MIN = 8_192;
  private static final int CELLS_MAX = 32_768;

  private static final int BYTES_A_LOOKUP = 4 << 20;
  private static final int DIFFERENCES_MAX = 10;

  /** Above this number of differing points the comparison ends with an error. */
  private static final int DIFFERING_MAX = 1_000_000;

  private final RowLookup stored;
  private final int cellsALookup = cellsALookup();
  private final Set<Integer> loaders = new HashSet<>();
  private final int everyRow;
  private final Map<Place, Difference> differing = new HashMap<>();
  private long compared;
  private long rows;
  private long columns;

  private record Place(String rowKey, int offsetMs) {}

  private record Difference(boolean missing, String sentence) {}

  /**
   * @param ofJob loaders of the job; cells of others are ignored
   * @param everyRow 1 to compare all rows, n to compare one row in n, chosen by its key
   */
  public CellComparison(RowLookup stored, List<LoaderId> ofJob, int everyRow) {
    this.stored = stored;
    ofJob.forEach(loader -> loaders.add(loader.id()));
    this.everyRow = everyRow;
  }

  /**
   * As many as the heap has room for, with a sink for each processor: of many rows, more are
   * neighbours in a salt bucket and metric. Where hours have few points, thousands of rows share a
   * block of HBase, and each lookup reads a block from its start.
   */
  private static int cellsALookup() {
    Runtime runtime = Runtime.getRuntime();
    long fit = runtime.maxMemory() / HEAP_SHARE / runtime.availableProcessors() / CELL_BYTES;
    return (int) Math.max(CELLS_MIN, Math.min(CELLS_MAX, fit));
  }

  /** A sink for the packed cells of one thread. */
  public CellSink openSink() {
    return new Comparing();
  }

  /**
   * The result for the compared rows, when every sink is flushed. A point counts as often as cells
   * with it were compared.
   */
  public synchronized VerifyReport report() {
    return report(compared, 0);
  }

  /**
   * The result for all rows, when every sink is flushed; a point counts once.
   *
   * @param loadedPoints points of different series or time that the job has loaded, as its ledger
   *     says
   * @param storedPoints such points that it has stored
   */
  public synchronized VerifyReport report(long loadedPoints, long storedPoints) {
    long expected = Math.min(loadedPoints, compared);
    long missing = differing.values().stream().filter(Difference::missing).count();
    return new VerifyReport(
        expected,
        expected - differing.size(),
        missing,
        differing.size() - missing,
        Math.max(0, storedPoints - (expected - missing)),
        rows,
        columns,
        differing.values().stream().map(Difference::sentence).limit(DIFFERENCES_MAX).toList());
  }

  private StoredRow ofJob(StoredRow row) {
    List<StoredColumn> own = new ArrayList<>();
    for (StoredColumn column : row.columns()) {
      if (column.packed()
          && PackedQualifier.matches(column.qualifier())
          && loaders.contains(PackedQualifier.parse(column.qualifier()).loaderId())) {
        own.add(column);
      }
    }
    return new StoredRow(row.rowKey(), own);
  }

  private synchronized void compare(
      String rowKey, PointBlock expected, PointBlock found, int columnsFound) throws IOException {
    rows++;
    columns += columnsFound;
    compared += expected.count();
    int at = 0;
    for (int i = 0; i < expected.count(); i++) {
      int offset = expected.offsetsMs()[i];
      while (at < found.count() && found.offsetsMs()[at] < offset) {
        at++;
      }
      boolean missing = at == found.count() || found.offsetsMs()[at] != offset;
      if (!missing
          && found.values()[at] == expected.values()[i]
          && found.isDouble()[at] == expected.isDouble()[i]) {
        if (!differing.isEmpty()) {
          differing.remove(new Place(rowKey, offset));
        }
      } else {
        differing.put(
            new Place(rowKey, offset),
            new Difference(
                missing,
                "row " + rowKey + " +" + offset + " ms: " + (missing ? "missing" : "differs")));
      }
    }
    if (differing.size() > DIFFERING_MAX) {
      throw new IOException(
          "more than " + DIFFERING_MAX + " points differ; the comparison was ended");
    }
  }

  /** Gathers cells, reads their rows and compares them. One thread. */
  private final class Comparing implements CellSink {
    private final List<CellWrite> cells = new ArrayList<>();
    private long bytes;
    private final RowPoints reader = new RowPoints();
    private final PackedCellDecoder decoder = new PackedCellDecoder();
    private final PointBlock expected = new PointBlock();
    private final AtomicLong points = new AtomicLong();

    @Override
    public void write(CellWrite cell) throws IOException {
      if (Math.floorMod(Arrays.hashCode(cell.rowKey()), everyRow) == 0) {
        cells.add(cell);
        bytes += cell.value().length;
      }
      points.addAndGet(cell.points());
      if (cells.size() == cellsALookup || bytes >= BYTES_A_LOOKUP) {
        flush();
      }
    }

    @Override
    public void flush() throws IOException {
      if (cells.isEmpty()) {
        return;
      }
      List<StoredRow> found = stored.get(cells.stream().map(CellWrite::rowKey).toList());
      for (int i = 0; i < found.size(); i++) {
        String rowKey = HexFormat.of().formatHex(cells.get(i).rowKey());
        try {
          decoder.decode(cells.get(i).value(), expected);
          PointBlock block = reader.of(ofJob(found.get(i)));
          compare(rowKey, expected, block, reader.columns());
        } catch (MalformedCellException e) {
          throw new IOException("row " + rowKey + ": " + e.getMessage(), e);
        }
      }
      cells.clear();
      bytes = 0;
    }

    @Override
    public long acknowledgedPoints() {
      return points.get();
    }

    @Override
    public void close() {}
  }
}
