package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorted pieces read as one. Of equal cells only the last of the last piece comes out, as of Puts
 * only the last one is seen; the points of the others are counted. One thread.
 */
final class MergedCells implements Closeable {
  private final List<SortedRuns.Cells> pieces;
  private final PriorityQueue<Head> heads = new PriorityQueue<>(MergedCells::compare);
  private int replacedPoints;

  private record Head(CellWrite cell, int piece) {}

  /**
   * @param pieces in order of arrival; closed with this object
   */
  MergedCells(List<SortedRuns.Cells> pieces) throws IOException {
    this.pieces = new ArrayList<>(pieces);
    for (int piece = 0; piece < pieces.size(); piece++) {
      advance(piece);
    }
  }

  private static int compare(Head left, Head right) {
    int byCell = CellOrder.INSTANCE.compare(left.cell, right.cell);
    return byCell != 0 ? byCell : Integer.compare(left.piece, right.piece);
  }

  private void advance(int piece) throws IOException {
    CellWrite cell = pieces.get(piece).next();
    if (cell != null) {
      heads.add(new Head(cell, piece));
    }
  }

  /** The next cell in order, or null at the end. */
  @Nullable CellWrite next() throws IOException {
    replacedPoints = 0;
    Head head = heads.poll();
    while (head != null) {
      advance(head.piece);
      Head following = heads.peek();
      if (following == null || CellOrder.INSTANCE.compare(head.cell, following.cell) != 0) {
        return head.cell;
      }
      replacedPoints += head.cell.points();
      head = heads.poll();
    }
    return null;
  }

  /** Points of the cells that the last one returned has replaced. */
  int replacedPoints() {
    return replacedPoints;
  }

  @Override
  public void close() throws IOException {
    for (SortedRuns.Cells piece : pieces) {
      piece.close();
    }
  }
}
