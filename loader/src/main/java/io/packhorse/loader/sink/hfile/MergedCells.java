package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted runs of cells. Of equal cells only the last of the last run is returned, as only
 * the last of equal Puts can be read; points of the others are counted. One thread.
 */
final class MergedCells implements Closeable {
  private final List<SortedRuns.Cells> runs;
  private final PriorityQueue<Head> heads = new PriorityQueue<>(MergedCells::compare);
  private int replacedPoints;

  private record Head(CellWrite cell, int run) {}

  /**
   * @param runs in the order of arrival; closed with this object
   */
  MergedCells(List<SortedRuns.Cells> runs) throws IOException {
    this.runs = new ArrayList<>(runs);
    for (int run = 0; run < runs.size(); run++) {
      advance(run);
    }
  }

  private static int compare(Head left, Head right) {
    int byCell = CellOrder.INSTANCE.compare(left.cell, right.cell);
    return byCell != 0 ? byCell : Integer.compare(left.run, right.run);
  }

  private void advance(int run) throws IOException {
    CellWrite cell = runs.get(run).next();
    if (cell != null) {
      heads.add(new Head(cell, run));
    }
  }

  /** The next cell in order, or null at the end. */
  @Nullable CellWrite next() throws IOException {
    replacedPoints = 0;
    Head head = heads.poll();
    while (head != null) {
      advance(head.run);
      Head following = heads.peek();
      if (following == null || CellOrder.INSTANCE.compare(head.cell, following.cell) != 0) {
        return head.cell;
      }
      replacedPoints += head.cell.points();
      head = heads.poll();
    }
    return null;
  }

  /** Points of the cells that the cell returned last has replaced. */
  int replacedPoints() {
    return replacedPoints;
  }

  @Override
  public void close() throws IOException {
    for (SortedRuns.Cells run : runs) {
      run.close();
    }
  }
}
