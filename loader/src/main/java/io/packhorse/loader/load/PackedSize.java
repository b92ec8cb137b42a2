package io.packhorse.loader.load;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellDump;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Size and encodings of blocks of points as packed cells. One thread. */
final class PackedSize {
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock back = new PointBlock();
  private final Map<String, Long> times = new TreeMap<>();
  private final Map<String, Long> values = new TreeMap<>();
  private long bytes;

  /**
   * Packs a block and reads it back.
   *
   * @param place where its points are from, for people
   * @throws OperationException VERIFICATION if a single bit of a point differs
   */
  void add(PointBlock block, Supplier<String> place) {
    byte[] cell = encoder.encode(block);
    String fault = null;
    try {
      decoder.decode(cell, back);
      if (!back.equals(block)) {
        fault = "gives back other points";
      }
      PackedCellDump dump = PackedCellDump.of(cell);
      times.merge(dump.times(), 1L, Long::sum);
      values.merge(dump.values(), 1L, Long::sum);
    } catch (MalformedCellException e) {
      fault = "cannot be read back: " + e.getMessage();
    }
    if (fault != null) {
      throw new OperationException(
          OperationException.Kind.VERIFICATION,
          "The packed cell of "
              + place.get()
              + " "
              + fault
              + ". This is a fault of Packhorse; please report it with the points of that hour.");
    }
    bytes += cell.length + PackedQualifier.LENGTH;
  }

  /** Bytes of all cells and their qualifiers. */
  long bytes() {
    return bytes;
  }

  /** How times were stored, and in how many cells; the most frequent first. */
  Map<String, Long> times() {
    return byFrequency(times);
  }

  /** How values were stored, and in how many cells; the most frequent first. */
  Map<String, Long> values() {
    return byFrequency(values);
  }

  private static Map<String, Long> byFrequency(Map<String, Long> cells) {
    Map<String, Long> sorted = new LinkedHashMap<>();
    cells.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
