package io.packhorse.loader.pipeline;

/**
 * How far a load is, or how it ended.
 *
 * @param read points taken from the source
 * @param packed points in cells handed to the sink
 * @param replaced points replaced by a later one of the same series and time in the same open hour
 * @param acknowledged points whose cell the store has confirmed
 * @param cells cells handed to the sink
 * @param cellBytes row keys, qualifiers and values of those cells
 * @param valueBytes their values alone
 */
public record LoadCounts(
    long read,
    long packed,
    long replaced,
    long acknowledged,
    long cells,
    long cellBytes,
    long valueBytes) {
  /** Of a load that has not begun. */
  public static final LoadCounts NONE = new LoadCounts(0, 0, 0, 0, 0, 0, 0);

  /** The sums of both. */
  public LoadCounts plus(LoadCounts other) {
    return new LoadCounts(
        read + other.read,
        packed + other.packed,
        replaced + other.replaced,
        acknowledged + other.acknowledged,
        cells + other.cells,
        cellBytes + other.cellBytes,
        valueBytes + other.valueBytes);
  }

  /**
   * What stays of these counts, those of a checkpoint, when its open hours are read again: all that
   * was packed then, which was acknowledged too.
   */
  public LoadCounts withoutOpenHours() {
    return new LoadCounts(
        packed + replaced, packed, replaced, packed, cells, cellBytes, valueBytes);
  }

  /** Whether every point read was packed or replaced, and every packed one acknowledged. */
  public boolean balanced() {
    return read == packed + replaced && packed == acknowledged;
  }

  /** Stored bytes a point, keys included; 0 before the first cell. */
  public double bytesPerPoint() {
    return packed == 0 ? 0 : (double) cellBytes / packed;
  }

  /** Bytes of the values alone a point; 0 before the first cell. */
  public double valueBytesPerPoint() {
    return packed == 0 ? 0 : (double) valueBytes / packed;
  }
}
