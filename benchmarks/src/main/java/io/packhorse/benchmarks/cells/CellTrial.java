package io.packhorse.benchmarks.cells;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One codec on one case: first whether every bit comes back, then sizes, then times. One thread.
 *
 * @param <T> what the codec stores
 */
final class CellTrial<T> {
  /** Enough to lose branch predictors, little enough to stay in the second-level cache. */
  private static final int TIMED_POINTS = 57_600;

  private static final int TIMED_BLOCKS = 2000;

  /** Header of a byte array, and what sizes are rounded up to. */
  private static final int ARRAY_HEADER = 16;

  private static final int ALIGNMENT = 8;

  private final CellCodec<T> codec;
  private final List<PointBlock> blocks;
  private final List<PointBlock> timed = new ArrayList<>();
  private final List<T> stored = new ArrayList<>();
  private final List<PointBlock> targets = new ArrayList<>();
  private long bytes;
  private long points;
  private long timedPoints;
  private long timedBytes;

  /**
   * @param blocks at least one; only read
   */
  CellTrial(CellCodec<T> codec, List<PointBlock> blocks) {
    this.codec = codec;
    this.blocks = blocks;
  }

  /** Whether all blocks come back bit by bit; a codec that throws does not give them back. */
  static <T> boolean givesBack(CellCodec<T> codec, List<PointBlock> blocks) {
    try {
      for (PointBlock block : blocks) {
        if (!isExact(codec, codec.encode(block), block)) {
          return false;
        }
      }
      return true;
    } catch (IOException | MalformedCellException | RuntimeException e) {
      return false;
    }
  }

  private static <T> boolean isExact(CellCodec<T> codec, T stored, PointBlock block)
      throws IOException, MalformedCellException {
    PointBlock back = emptyTarget(codec, block);
    codec.decode(stored, back);
    return back.equals(block);
  }

  /** As the codec wants it, with every value that it must bring back wrong. */
  private static PointBlock emptyTarget(CellCodec<?> codec, PointBlock block) {
    int count = block.count();
    PointBlock target = new PointBlock(count);
    if (codec.keepsKinds()) {
      return target;
    }
    for (int i = 0; i < count; i++) {
      target.add(
          codec.keepsTimes() ? i : block.offsetsMs()[i], ~block.values()[i], block.isDouble()[i]);
    }
    return target;
  }

  /**
   * Stores all blocks, reads them back and adds up the sizes.
   *
   * @throws IOException if a single bit differs
   */
  void check() throws IOException {
    for (int i = 0; i < blocks.size(); i++) {
      PointBlock block = blocks.get(i);
      boolean exact;
      T cell;
      try {
        cell = codec.encode(block);
        exact = isExact(codec, cell, block);
      } catch (MalformedCellException e) {
        throw new IOException(codec.system() + " cannot read its own cell of block " + i, e);
      }
      if (!exact) {
        throw new IOException(codec.system() + " gives back other points for block " + i);
      }
      bytes += codec.bytes(cell);
      points += block.count();
      if (timedPoints < TIMED_POINTS && timed.size() < TIMED_BLOCKS) {
        int last = timed.size() - 1;
        boolean fits = last >= 0 && timed.get(last).count() == block.count();
        targets.add(fits ? targets.get(last) : emptyTarget(codec, block));
        timed.add(block);
        stored.add(cell);
        timedPoints += block.count();
        timedBytes += codec.bytes(cell);
      }
    }
  }

  /** Stored bytes a point, over all blocks; after {@link #check}. */
  double bytesPerPoint() {
    return (double) bytes / points;
  }

  /** As {@link #bytesPerPoint}, with the qualifiers that it leaves out. */
  double columnBytesPerPoint() {
    return (double) (bytes + (long) codec.qualifierBytes() * blocks.size()) / points;
  }

  /** Nanoseconds a point, whatever the codec chooses included; after {@link #check}. */
  double encodeNanos(Stopwatch stopwatch) throws IOException {
    return stopwatch.nanos(this::encodeAll) / timedPoints;
  }

  /**
   * Nanoseconds a point into arrays that are there, the same ones for cells of the same count, as
   * those of a reader are; after {@link #check}.
   */
  double decodeNanos(Stopwatch stopwatch) throws IOException {
    return stopwatch.nanos(this::decodeAll) / timedPoints;
  }

  /** Bytes allocated a cell beside the cell itself, where that is a byte array; when warm. */
  double encodeGarbage() throws IOException {
    long results = 0;
    for (T cell : stored) {
      results += (ARRAY_HEADER + codec.bytes(cell) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return (double) (Stopwatch.allocated(this::encodeAll) - results) / timed.size();
  }

  /** Bytes allocated a cell; when warm. */
  double decodeGarbage() throws IOException {
    return (double) Stopwatch.allocated(this::decodeAll) / timed.size();
  }

  private long encodeAll() throws IOException {
    long sum = 0;
    for (int i = 0; i < timed.size(); i++) {
      sum += codec.bytes(codec.encode(timed.get(i)));
    }
    if (sum != timedBytes) {
      throw new IOException(codec.system() + " does not give the same cells again");
    }
    return sum;
  }

  private long decodeAll() throws IOException {
    long sum = 0;
    try {
      for (int i = 0; i < stored.size(); i++) {
        PointBlock target = targets.get(i);
        codec.decode(stored.get(i), target);
        sum += target.values()[target.count() - 1];
      }
    } catch (MalformedCellException e) {
      throw new IOException(codec.system() + " cannot read its own cell", e);
    }
    return sum;
  }
}
