package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts cells that come in any order: collects them in memory up to a limit, then sorts them and
 * writes them to local disk as a run. Cells that come in order are not sorted.
 *
 * <p>Filled by one thread; after {@link #finish} any number of threads may read, a region each.
 */
final class SortedRuns {
  /** Memory of a cell beyond its bytes: the record and three array headers. */
  private static final int CELL_OVERHEAD_BYTES = 120;

  /** Bytes before a cell in a run: lengths, points, timestamp and form. */
  private static final long CELL_HEADER_BYTES = 21;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path folder;
  private final String name;
  private final RegionRanges regions;
  private final long memoryBytesMax;
  private final List<Run> runs = new ArrayList<>();
  private final List<CellWrite> held = new ArrayList<>();
  private boolean rising = true;
  private long heldBytes;

  /** A sorted file; the cells of region r lie at {@code [offsets[r], offsets[r + 1])}. */
  private record Run(Path file, long[] offsets) {}

  /** Reads the cells of one region in order. One thread. */
  interface Cells extends Closeable {
    /** The next cell, or null at the end. */
    @Nullable CellWrite next() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * @param folder local; made when it is needed
   * @param name first part of file names, used by nobody else in that folder
   * @param memoryBytesMax above it cells are written to a run
   */
  SortedRuns(Path folder, String name, RegionRanges regions, long memoryBytesMax) {
    this.folder = folder;
    this.name = name;
    this.regions = regions;
    this.memoryBytesMax = memoryBytesMax;
  }

  /** Adds a cell; may write a run. */
  void add(CellWrite cell) throws IOException {
    if (!held.isEmpty() && rising) {
      rising = CellOrder.INSTANCE.compare(held.get(held.size() - 1), cell) <= 0;
    }
    held.add(cell);
    heldBytes += cell.bytes() + CELL_OVERHEAD_BYTES;
    if (heldBytes > memoryBytesMax) {
      spill();
    }
  }

  /** Sorts the cells still in memory. Nothing may be added afterwards. */
  void finish() {
    sort();
  }

  /** Number of runs on disk. */
  int spilled() {
    return runs.size();
  }

  /** Whether no cell of a region was added. */
  boolean isEmpty(int region) {
    return heldOf(region).isEmpty()
        && runs.stream().allMatch(run -> run.offsets[region] == run.offsets[region + 1]);
  }

  /** The sorted runs of a region in the order of arrival, the cells in memory last. Close each. */
  List<Cells> open(int region) throws IOException {
    List<Cells> opened = new ArrayList<>();
    try {
      for (Run run : runs) {
        if (run.offsets[region] < run.offsets[region + 1]) {
          opened.add(new FileCells(run, region));
        }
      }
    } catch (IOException e) {
      for (Cells run : opened) {
        run.close();
      }
      throw e;
    }
    opened.add(new HeldCells(heldOf(region).iterator()));
    return opened;
  }

  private void sort() {
    if (!rising) {
      // The sort is stable: equal cells stay in the order of arrival.
      held.sort(CellOrder.INSTANCE);
      rising = true;
    }
  }

  private List<CellWrite> heldOf(int region) {
    return held.subList(firstHeld(region), firstHeld(region + 1));
  }

  /** Index of the first cell in memory of this region or a later one. */
  private int firstHeld(int region) {
    int low = 0;
    int high = held.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (regions.regionOf(held.get(middle).rowKey()) < region) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void spill() throws IOException {
    sort();
    Path file = folder.resolve(name + "-" + runs.size() + ".run");
    long[] offsets = new long[regions.count() + 1];
    long written = 0;
    int region = 0;
    try {
      Files.createDirectories(folder);
      try (DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(
                  Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), BUFFER_BYTES))) {
        for (CellWrite cell : held) {
          int here = regions.regionOf(cell.rowKey());
          while (region < here) {
            offsets[++region] = written;
          }
          written += write(cell, out);
        }
      }
    } catch (IOException e) {
      throw StepFailure.of("cannot write cells to be sorted to " + folder, e);
    }
    while (region < regions.count()) {
      offsets[++region] = written;
    }
    runs.add(new Run(file, offsets));
    held.clear();
    heldBytes = 0;
  }

  private static long write(CellWrite cell, DataOutputStream out) throws IOException {
    out.writeShort(cell.rowKey().length);
    out.writeShort(cell.qualifier().length);
    out.writeInt(cell.value().length);
    out.writeInt(cell.points());
    out.writeLong(cell.stampMs());
    out.writeBoolean(cell.form() == CellForm.PACKED);
    out.write(cell.rowKey());
    out.write(cell.qualifier());
    out.write(cell.value());
    return CELL_HEADER_BYTES + cell.bytes();
  }

  private static final class HeldCells implements Cells {
    private final Iterator<CellWrite> cells;

    HeldCells(Iterator<CellWrite> cells) {
      this.cells = cells;
    }

    @Override
    public @Nullable CellWrite next() {
      return cells.hasNext() ? cells.next() : null;
    }

    @Override
    public void close() {}
  }

  private static final class FileCells implements Cells {
    private final DataInputStream in;
    private long left;

    FileCells(Run run, int region) throws IOException {
      FileChannel channel = FileChannel.open(run.file, StandardOpenOption.READ);
      in =
          new DataInputStream(
              new BufferedInputStream(
                  Channels.newInputStream(channel.position(run.offsets[region])), BUFFER_BYTES));
      left = run.offsets[region + 1] - run.offsets[region];
    }

    @Override
    public @Nullable CellWrite next() throws IOException {
      if (left == 0) {
        return null;
      }
      byte[] rowKey = new byte[in.readUnsignedShort()];
      byte[] qualifier = new byte[in.readUnsignedShort()];
      byte[] value = new byte[in.readInt()];
      int points = in.readInt();
      long stampMs = in.readLong();
      CellForm form = in.readBoolean() ? CellForm.PACKED : CellForm.COMPACTED;
      in.readFully(rowKey);
      in.readFully(qualifier);
      in.readFully(value);
      CellWrite cell = new CellWrite(rowKey, form, qualifier, value, points, stampMs);
      left -= CELL_HEADER_BYTES + cell.bytes();
      return cell;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
