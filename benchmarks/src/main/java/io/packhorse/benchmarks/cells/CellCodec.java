package io.packhorse.benchmarks.cells;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;

/**
 * A way to store blocks of points, ours or another. One thread; buffers are reused, what is
 * returned is new.
 *
 * @param <T> what is stored
 */
interface CellCodec<T> {
  /** As in the report. */
  String system();

  /**
   * Whether a block may mix integers and doubles, and gets its kinds back; the others are given
   * blocks of one kind and told it by their caller.
   */
  default boolean keepsKinds() {
    return false;
  }

  /** Whether times are stored too. */
  default boolean keepsTimes() {
    return true;
  }

  /** Stores a block; the block is only read. */
  T encode(PointBlock block) throws IOException;

  /**
   * Replaces the block's points by what was stored; kinds, or times, are left as they were where
   * they are not kept, and the block must then have as many points as stored.
   */
  void decode(T stored, PointBlock into) throws IOException, MalformedCellException;

  /** Bytes of a qualifier that {@link #bytes} leaves out. */
  default int qualifierBytes() {
    return 0;
  }

  /** All bytes that a reader needs, beside what it is told. */
  long bytes(T stored);
}
