package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;
import java.util.List;

/**
 * Blocks to be stored.
 *
 * @param name as in the report: shape and points per cell
 * @param blocks as the loader would pack them, at least one
 */
record CellCase(String name, List<PointBlock> blocks) {
  /** Points of all blocks. */
  long points() {
    return blocks.stream().mapToLong(PointBlock::count).sum();
  }

  /**
   * The blocks for those who store one kind only: where a block has both, its integers become the
   * doubles of equal value, or the nearest ones.
   */
  List<PointBlock> blocksOfOneKind() {
    boolean anyDouble = blocks.stream().anyMatch(block -> block.doubles() > 0);
    boolean anyLong = blocks.stream().anyMatch(block -> block.doubles() < block.count());
    return anyDouble && anyLong ? blocks.stream().map(CellCase::asDoubles).toList() : blocks;
  }

  private static PointBlock asDoubles(PointBlock block) {
    PointBlock doubles = new PointBlock(block.count());
    for (int i = 0; i < block.count(); i++) {
      long bits = block.values()[i];
      doubles.addDouble(
          block.offsetsMs()[i],
          block.isDouble()[i] ? bits : Double.doubleToRawLongBits((double) bits));
    }
    return doubles;
  }
}
