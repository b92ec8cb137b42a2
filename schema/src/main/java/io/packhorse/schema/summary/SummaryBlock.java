package io.packhorse.schema.summary;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.Checksum;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.packed.NumberRuns;
import java.util.Arrays;
import java.util.Set;

/**
 * Writes and reads blocks of the summary table: entries of one series, level and loader, column by
 * column. Layout: {@code docs/format.md}, section 17. Reusable, one instance per thread.
 */
public final class SummaryBlock {
  private static final int VERSION = 1;
  private static final int KIND_MAX = SummaryEntries.DOUBLES;

  private final NumberRuns runs = new NumberRuns();
  private final ByteWriter column = new ByteWriter(256);
  private final ByteWriter block = new ByteWriter(512);
  private final ByteReader in = new ByteReader(new byte[0], 0, 0);
  private byte[] bytes = {};
  private long[] scratch = {};

  /** A value of an entry, for the arrays of {@link SummaryEntries}. */
  private interface Value {
    long of(int at);
  }

  /**
   * The stored bytes of one or more entries; a new array.
   *
   * @param entries only read
   */
  public byte[] encode(SummaryLevel level, SummaryEntries entries) {
    int size = entries.size;
    if (size == 0) {
      throw new IllegalArgumentException("a block of a summary must have an entry");
    }
    scratch = scratch.length < size ? new long[size] : scratch;
    ByteWriter to = block;
    to.reset();
    to.writeByte(VERSION);
    to.writeByte(level.family().charAt(0));
    to.writeVarInt(size);
    write(size, at -> entries.index[at], to);
    if (level.parts() > 0) {
      write(size, at -> entries.parts[at], to);
    }
    write(size, at -> entries.kind[at], to);
    write(size, at -> entries.count[at], to);
    write(size, at -> entries.missing[at], to);
    write(size, at -> entries.firstMs[at], to);
    write(size, at -> entries.lastMs[at], to);
    writeIntegers(entries, to);
    writeDoubles(entries, to);
    Checksum.append(to);
    return to.toByteArray();
  }

  private void writeIntegers(SummaryEntries of, ByteWriter to) {
    write(of, SummaryEntries.INTEGERS, at -> of.first[at], to);
    write(of, SummaryEntries.INTEGERS, at -> of.last[at] - of.first[at], to);
    write(of, SummaryEntries.INTEGERS, at -> of.first[at] - of.min[at], to);
    write(of, SummaryEntries.INTEGERS, at -> of.max[at] - of.first[at], to);
    write(of, SummaryEntries.INTEGERS, at -> of.sum[at] - of.first[at] * of.count[at], to);
  }

  private void writeDoubles(SummaryEntries of, ByteWriter to) {
    write(of, SummaryEntries.DOUBLES, at -> of.first[at], to);
    write(of, SummaryEntries.DOUBLES, at -> of.last[at], to);
    write(of, SummaryEntries.DOUBLES, at -> of.min[at], to);
    write(of, SummaryEntries.DOUBLES, at -> of.max[at], to);
    write(of, SummaryEntries.DOUBLES, at -> of.sum[at], to);
  }

  private void write(int size, Value value, ByteWriter to) {
    for (int at = 0; at < size; at++) {
      scratch[at] = value.of(at);
    }
    column.reset();
    runs.writeIntegers(scratch, size, column);
    append(to);
  }

  /** Writes a value of the entries of one kind, if there are any. */
  private void write(SummaryEntries of, byte kind, Value value, ByteWriter to) {
    int found = 0;
    for (int at = 0; at < of.size; at++) {
      if (of.kind[at] == kind) {
        scratch[found++] = value.of(at);
      }
    }
    if (found > 0) {
      column.reset();
      if (kind == SummaryEntries.INTEGERS) {
        runs.writeIntegers(scratch, found, column);
      } else {
        runs.writeDoubles(scratch, found, column);
      }
      append(to);
    }
  }

  private void append(ByteWriter to) {
    to.writeVarInt(column.length());
    to.writeBytes(column.array(), 0, column.length());
  }

  /**
   * Reads a stored block.
   *
   * @param wanted values of the statistics to read; the others become 0
   * @param into what it held is replaced; undefined after an exception
   * @throws MalformedCellException if its checksum is wrong, or it is of another version or level
   */
  public void decode(
      SummaryLevel level, byte[] value, Set<SummaryValue> wanted, SummaryEntries into)
      throws MalformedCellException {
    int end = Checksum.check(value);
    bytes = NumberRuns.readable(value, end);
    in.reset(bytes, 0, end);
    require(in.readByte() == VERSION, 0, "block of a summary must have version " + VERSION);
    require(in.readByte() == level.family().charAt(0), 1, "block must be of level " + level);
    int size = in.readVarInt();
    require(size > 0 && size <= level.entries(), 2, "entries must be 1 to " + level.entries());
    scratch = scratch.length < size ? new long[size] : scratch;
    into.setSize(size);
    readInts(into.index, size, level.entries() - 1);
    for (int at = 1; at < size; at++) {
      require(into.index[at] > into.index[at - 1], in.position(), "indexes must rise");
    }
    if (level.parts() > 0) {
      readInts(into.parts, size, (1L << level.parts()) - 1);
    } else {
      Arrays.fill(into.parts, 0, size, 0);
    }
    readColumn(size, true);
    for (int at = 0; at < size; at++) {
      require(scratch[at] >= 0 && scratch[at] <= KIND_MAX, in.position(), "kinds must be 0 to 2");
      into.kind[at] = (byte) scratch[at];
    }
    readInts(into.count, size, Integer.MAX_VALUE);
    readInts(into.missing, size, Integer.MAX_VALUE);
    readColumn(size, true);
    System.arraycopy(scratch, 0, into.firstMs, 0, size);
    readColumn(size, true);
    System.arraycopy(scratch, 0, into.lastMs, 0, size);
    readIntegers(into, wanted);
    readDoubles(into, wanted);
    require(in.remaining() == 0, in.position(), "a block must end after its columns");
  }

  /** Reads a column of integers, of which there must be {@code size}, to the scratch array. */
  private void readColumn(int size, boolean integers) throws MalformedCellException {
    int length = in.readVarInt();
    int from = in.position();
    require(length <= in.remaining(), from, "a column must be whole");
    int end = from + in.remaining();
    in.reset(bytes, from, from + length);
    if (integers) {
      runs.readIntegers(in, bytes, size, scratch);
    } else {
      runs.readDoubles(in, bytes, size, scratch);
    }
    require(in.remaining() == 0, in.position(), "a column must end after its run");
    in.reset(bytes, from + length, end);
  }

  private void skipColumn() throws MalformedCellException {
    in.skip(in.readVarInt());
  }

  private void readInts(int[] into, int size, long max) throws MalformedCellException {
    int at = in.position();
    readColumn(size, true);
    for (int i = 0; i < size; i++) {
      require(scratch[i] >= 0 && scratch[i] <= max, at, "numbers must be 0 to " + max);
      into[i] = (int) scratch[i];
    }
  }

  private void readIntegers(SummaryEntries into, Set<SummaryValue> wanted)
      throws MalformedCellException {
    byte kind = SummaryEntries.INTEGERS;
    int size = entries(into, kind);
    if (size == 0) {
      return;
    }
    if (read(size, !wanted.isEmpty(), true)) {
      spread(into, kind, into.first, (at, read) -> read);
    }
    if (read(size, wanted.contains(SummaryValue.LAST), true)) {
      spread(into, kind, into.last, (at, read) -> into.first[at] + read);
    }
    if (read(size, wanted.contains(SummaryValue.MIN), true)) {
      spread(into, kind, into.min, (at, read) -> into.first[at] - read);
    }
    if (read(size, wanted.contains(SummaryValue.MAX), true)) {
      spread(into, kind, into.max, (at, read) -> into.first[at] + read);
    }
    if (read(size, wanted.contains(SummaryValue.SUM), true)) {
      spread(into, kind, into.sum, (at, read) -> read + into.first[at] * into.count[at]);
    }
  }

  private void readDoubles(SummaryEntries into, Set<SummaryValue> wanted)
      throws MalformedCellException {
    byte kind = SummaryEntries.DOUBLES;
    int size = entries(into, kind);
    if (size == 0) {
      return;
    }
    for (SummaryValue value : SummaryValue.values()) {
      if (read(size, wanted.contains(value), false)) {
        spread(into, kind, array(into, value), (at, read) -> read);
      }
    }
  }

  private static long[] array(SummaryEntries of, SummaryValue value) {
    return switch (value) {
      case FIRST -> of.first;
      case LAST -> of.last;
      case MIN -> of.min;
      case MAX -> of.max;
      case SUM -> of.sum;
    };
  }

  private static int entries(SummaryEntries of, byte kind) {
    int found = 0;
    for (int at = 0; at < of.size; at++) {
      found += of.kind[at] == kind ? 1 : 0;
    }
    return found;
  }

  /** Reads a column if it is wanted, else passes over it. */
  private boolean read(int size, boolean wanted, boolean integers) throws MalformedCellException {
    if (wanted) {
      readColumn(size, integers);
    } else {
      skipColumn();
    }
    return wanted;
  }

  /** A value of an entry from what its column has. */
  private interface Decoded {
    long of(int at, long read);
  }

  private void spread(SummaryEntries into, byte kind, long[] values, Decoded decoded) {
    int next = 0;
    for (int at = 0; at < into.size; at++) {
      if (into.kind[at] == kind) {
        values[at] = decoded.of(at, scratch[next++]);
      }
    }
  }

  private static void require(boolean holds, int at, String rule) throws MalformedCellException {
    if (!holds) {
      throw new MalformedCellException(at, rule);
    }
  }
}
