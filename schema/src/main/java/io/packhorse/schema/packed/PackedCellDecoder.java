package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Unpacks a cell of {@link PackedCellEncoder}; any other bytes end in one exception.
 *
 * <p>Reusable, one instance a thread. Allocates nothing in steady state; for any input at most a
 * copy of it and a few arrays of {@link PackedCellEncoder#MAX_POINTS} entries.
 */
public final class PackedCellDecoder {
  private final HeaderScan header = new HeaderScan();
  private final OffsetReader offsets = new OffsetReader();
  private final IntegerReader integers = new IntegerReader();
  private final DoubleReader doubles = new DoubleReader(integers);
  private final PlainForm plain = new PlainForm();
  private final ByteReader in = new ByteReader(new byte[0], 0, 0);
  private final PointBlock points = new PointBlock(0);
  private final PointAccumulator accumulator = new PointAccumulator();
  private byte[] bytes = new byte[0];
  private long[] scratch = new long[0];

  /**
   * Unpacks a whole cell.
   *
   * @param cell the stored value, only read
   * @param into overwritten; after an exception its content is unspecified
   * @throws MalformedCellException if the bytes break the format in any way
   */
  public void decode(byte[] cell, PointBlock into) throws MalformedCellException {
    start(cell);
    int count = header.count;
    into.ensureCapacity(count);
    if (header.plain) {
      plain.read(in, bytes, header, into);
      in.expectEnd();
      return;
    }
    // The values come later: their array is free for the work on the times, and in the cache.
    offsets.read(in, bytes, header, integers, into.values(), into.offsetsMs());
    int numberOfDoubles = 0;
    switch (header.kind) {
      case KIND_LONGS -> {
        integers.read(in, bytes, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, false);
      }
      case KIND_DOUBLES -> {
        doubles.read(in, bytes, count, into.values());
        Arrays.fill(into.isDouble(), 0, count, true);
        numberOfDoubles = count;
      }
      default -> numberOfDoubles = readMixed(count, into);
    }
    in.expectEnd();
    into.filledInOrder(count, numberOfDoubles);
  }

  /**
   * Adds the points of a cell with offset in {@code [fromOffsetMs, toOffsetMs)}: by the header's
   * statistics where these prove what the points would give, else by a look at each.
   *
   * <p>In the first case only the header is read, guarded by its own check.
   *
   * @param into has only earlier points
   */
  public void aggregate(byte[] cell, int fromOffsetMs, int toOffsetMs, PointAccumulator into)
      throws MalformedCellException {
    if (inHeader(cell, fromOffsetMs, toOffsetMs)
        && into.add(header.statistics.statistics(header.kind, header.count))) {
      return;
    }
    decode(cell, points);
    into.add(points, indexOf(fromOffsetMs), indexOf(toOffsetMs));
  }

  /**
   * Adds the points of a cell with offset in {@code [fromOffsetMs, toOffsetMs)} to buckets of equal
   * intervals: a point at offset o to bucket {@code firstBucket + (o - fromOffsetMs) / intervalMs}.
   *
   * @param intervalMs at least 1
   * @param into has only earlier points and room for the last bucket of the range
   */
  public void downsample(
      byte[] cell,
      int fromOffsetMs,
      int toOffsetMs,
      int intervalMs,
      PointBuckets into,
      int firstBucket)
      throws MalformedCellException {
    if (intervalMs < 1) {
      throw new IllegalArgumentException(
          "interval must be at least 1 ms: intervalMs=" + intervalMs);
    }
    if (inHeader(cell, fromOffsetMs, toOffsetMs)) {
      long bucket = bucket(header.firstOffsetMs, fromOffsetMs, intervalMs);
      if (bucket == bucket(header.lastOffsetMs, fromOffsetMs, intervalMs)) {
        accumulator.load(into, firstBucket + (int) bucket);
        if (accumulator.add(header.statistics.statistics(header.kind, header.count))) {
          accumulator.store(into, firstBucket + (int) bucket);
          return;
        }
      }
    }
    decode(cell, points);
    int[] times = points.offsetsMs();
    int i = indexOf(fromOffsetMs);
    int end = indexOf(toOffsetMs);
    while (i < end) {
      long bucket = bucket(times[i], fromOffsetMs, intervalMs);
      // An interval may reach past the largest int.
      long bucketEnd = fromOffsetMs + (bucket + 1) * intervalMs;
      int to = i + 1;
      if (header.offsets <= REGULAR) {
        // That of a single point may be 3,599,999 seconds.
        long stepMs = (long) header.step * PackedCellDescriptor.unitMs(header.milliseconds);
        to = (int) Math.min(end, i + (bucketEnd - times[i] + stepMs - 1) / stepMs);
      }
      while (to < end && times[to] < bucketEnd) {
        to++;
      }
      accumulator.load(into, firstBucket + (int) bucket);
      accumulator.add(points, i, to);
      accumulator.store(into, firstBucket + (int) bucket);
      i = to;
    }
  }

  /** Bucket of an offset in the range, which may begin an int's width before it. */
  private static long bucket(int offsetMs, int fromOffsetMs, int intervalMs) {
    return ((long) offsetMs - fromOffsetMs) / intervalMs;
  }

  /** Whether the header has statistics and all points lie in the range; reads the header only. */
  private boolean inHeader(byte[] cell, int fromOffsetMs, int toOffsetMs)
      throws MalformedCellException {
    in.reset(cell, 0, cell.length);
    header.read(in, cell);
    return header.hasStatistics
        && header.firstOffsetMs >= fromOffsetMs
        && header.lastOffsetMs < toOffsetMs;
  }

  /** Index of the first decoded point at or after an offset. */
  private int indexOf(int offsetMs) {
    int at = Arrays.binarySearch(points.offsetsMs(), 0, points.count(), offsetMs);
    return at < 0 ? ~at : at;
  }

  /** Copies the cell to where loads past its end are harmless, reads its header and checksum. */
  private void start(byte[] cell) throws MalformedCellException {
    int length = cell.length;
    bytes = Scratch.bytes(bytes, length + BitPacking.SLACK);
    System.arraycopy(cell, 0, bytes, 0, length);
    Arrays.fill(bytes, length, length + BitPacking.SLACK, (byte) 0);
    in.reset(bytes, 0, length);
    header.read(in, bytes);
    in.reset(bytes, in.position(), header.checkedEnd(bytes, in.position(), length));
  }

  private int readMixed(int count, PointBlock into) throws MalformedCellException {
    int at = in.position();
    scratch = Scratch.longs(scratch, count);
    integers.read(in, bytes, count, scratch);
    int found = 0;
    long all = 0;
    boolean[] isDouble = into.isDouble();
    for (int i = 0; i < count; i++) {
      isDouble[i] = scratch[i] != 0;
      found += isDouble[i] ? 1 : 0;
      all |= scratch[i];
    }
    if (all != 1 || found == count) {
      throw new MalformedCellException(
          at, "packed cell: kinds must be 0 and 1, both: doubles=" + found);
    }
    integers.read(in, bytes, count - found, scratch);
    place(into, count, false);
    doubles.read(in, bytes, found, scratch);
    place(into, count, true);
    return found;
  }

  private void place(PointBlock into, int count, boolean wanted) {
    int next = 0;
    for (int i = 0; i < count; i++) {
      if (into.isDouble()[i] == wanted) {
        into.values()[i] = scratch[next++];
      }
    }
  }
}
