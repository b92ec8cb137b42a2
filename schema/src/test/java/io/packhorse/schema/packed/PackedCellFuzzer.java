package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_CHECKSUM;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.zip.CRC32C;

/**
 * The entry that a coverage-guided fuzzer calls: any bytes are a valid block or malformed, decoder
 * and reference decoder agree, and a valid block packs and comes back. Run by {@code -Pfuzz}.
 */
public final class PackedCellFuzzer {
  private static final int REFERENCE_POINTS_MAX = 4096;

  private static final ThreadLocal<PackedCellFuzzer> OF_THREAD =
      ThreadLocal.withInitial(PackedCellFuzzer::new);

  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PointBlock block = new PointBlock(0);
  private final PointBlock back = new PointBlock(0);

  private PackedCellFuzzer() {}

  /** Jazzer's convention for a target without its API. */
  public static void fuzzerTestOneInput(byte[] cell) throws MalformedCellException {
    PackedCellFuzzer fuzzer = OF_THREAD.get();
    fuzzer.check(cell);
    if (cell.length > 8 && (cell[0] & 0xff) == VERSION_1 && (cell[1] & 0xf0) == FLAG_CHECKSUM) {
      // A fuzzer does not find checksums by itself.
      byte[] whole = cell.clone();
      CRC32C crc = new CRC32C();
      crc.update(whole, 0, whole.length - 4);
      for (int i = 0; i < 4; i++) {
        whole[whole.length - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
      }
      fuzzer.check(whole);
    }
  }

  private void check(byte[] cell) throws MalformedCellException {
    int offset = -1;
    try {
      decoder.decode(cell, block);
    } catch (MalformedCellException e) {
      offset = e.offset();
      if (offset < 0 || offset > cell.length) {
        throw new AssertionError("offset outside: " + e, e);
      }
    }
    boolean valid = offset < 0;
    if (!valid || block.count() <= REFERENCE_POINTS_MAX) {
      checkReference(cell, valid);
    }
    if (valid) {
      decoder.decode(encoder.encode(block), back);
      if (!block.equals(back)) {
        throw new AssertionError("encoded again, the block differs");
      }
    }
  }

  private void checkReference(byte[] cell, boolean valid) {
    try {
      PointBlock expected = ReferenceDecoder.decode(cell);
      if (!valid || !expected.equals(block)) {
        throw new AssertionError("the reference decoder reads another block");
      }
    } catch (ReferenceDecoder.Rejected e) {
      if (valid) {
        throw new AssertionError("the reference decoder rejects: " + e.getMessage(), e);
      }
    }
  }
}
