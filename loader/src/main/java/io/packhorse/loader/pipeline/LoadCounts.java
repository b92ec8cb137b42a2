package io.packhorse.loader.pipeline;

/**
 * How far a load has come, or how it ended.
 *
 * @param read points taken from the source
 * @param packed points in cells written to the sink
 * @param replaced points replaced by a later one of the same series and time; while the load runs,
 *     only of the same open hour
 * @param acknowledged points in cells that the store has acknowledged
 * @param cells cells written to the sink
 * @param cellBytes row keys, qualifiers and values of those cells
 * @param valueBytes bytes of their values alone
 */
public record LoadCounts(
    long read,
    long packed,
    long replaced,
    long acknowledged,
    long cells,
    long cellBytes,
    long valueBytes) {
  /** Counts of a load that has not begun. */
  public static final LoadCounts NONE = new LoadCounts(0, 0, 0, 0, 0, 0, 0);

  /** Counts of replaced points only. */
  static LoadCounts ofReplaced(long points) {
    return new LoadCounts(0, 0, points, 0, 0, 0, 0);
  }

  /** The same with another number of acknowledged points. */
  LoadCounts withAcknowledged(long points) {
    return new LoadCounts(read, packed, replaced, points, cells, cellBytes, valueBytes);
  }

  /** The same once so many packed points turned out to have the time of others. */
  public LoadCounts withRepeated(long points) {
    return new LoadCounts(
        read,
        packed - points,
        replaced + points,
        acknowledged - points,
        cells,
        cellBytes,
        valueBytes);
  }

  /** The same once every packed point is acknowledged. */
  public LoadCounts fullyAcknowledged() {
    return withAcknowledged(packed);
  }

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
   * The counts from which a load resumes at a checkpoint with these counts. Points in open hours
   * are taken out, because they are read again; all packed points were acknowledged.
   */
  public LoadCounts withoutOpenHours() {
    return new LoadCounts(
        packed + replaced, packed, replaced, packed, cells, cellBytes, valueBytes);
  }

  /** Whether every point read was packed or replaced, and every packed one acknowledged. */
  public boolean balanced() {
    return read == packed + replaced && packed == acknowledged;
  }

  /** Stored bytes per point, keys included; 0 before the first cell. */
  public double bytesPerPoint() {
    return packed == 0 ? 0 : (double) cellBytes / packed;
  }

  /** Bytes of values per point; 0 before the first cell. */
  public double valueBytesPerPoint() {
    return packed == 0 ? 0 : (double) valueBytes / packed;
  }
}
