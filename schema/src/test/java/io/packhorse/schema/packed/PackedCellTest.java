package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PackedCellTest {
  private static final long SEEDS = Long.getLong("packhorse.shape.seeds", 20);

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  @Test
  void everyShapeComesBackBitForBit() throws MalformedCellException {
    PointBlock back = new PointBlock();
    for (long seed = 1; seed <= SEEDS; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        byte[] cell = encoder.encode(shape.block());
        decoder.decode(cell, back);
        assertEquals(shape.block(), back, "seed " + seed + ", " + shape);
        assertEquals(shape.block().doubles(), back.doubles(), "seed " + seed + ", " + shape);
        assertEquals(shape.block().count(), PackedCellHeader.parse(cell).count());
        assertArrayEquals(cell, encoder.encode(back), "equal blocks give equal bytes");
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void everyTruncationIsMalformed() {
    for (BlockShapes.Shape shape : BlockShapes.all(7)) {
      byte[] cell = encoder.encode(shape.block());
      for (int length = 0; length < Math.min(cell.length, 4000); length++) {
        byte[] cut = Arrays.copyOf(cell, length);
        assertThrows(
            MalformedCellException.class,
            () -> decoder.decode(cut, new PointBlock(0)),
            shape + ", length=" + cut.length);
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void everyFlippedBitIsAnotherBlockOrMalformed() {
    for (BlockShapes.Shape shape : BlockShapes.all(8)) {
      byte[] cell = encoder.encode(shape.block());
      boolean checksum = shape.block().count() >= PackedCellDescriptor.CHECKSUM_FROM_POINTS;
      for (int bit = 0; bit < Math.min(cell.length, 1000) * 8; bit++) {
        byte[] damaged = cell.clone();
        damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
        boolean decoded = decodes(damaged);
        if (checksum && bit >= 16) {
          assertTrue(!decoded, shape + ": the checksum must catch bit " + bit);
        }
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void arbitraryBytesNeverEndInAnotherException() {
    SplittableRandom random = new SplittableRandom(99);
    for (int i = 0; i < 300_000; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      if (bytes.length > 4) {
        bytes[0] = (byte) 0xA1;
        bytes[1] &= 0x07;
        bytes[2] &= 0x1f;
        bytes[3] &= 0x3f;
      }
      decodes(bytes);
    }
  }

  @Test
  void trailingBytesAreMalformed() {
    PointBlock block = BlockShapes.block("1s", "walk", 10, new SplittableRandom(1));
    byte[] cell = encoder.encode(block);
    byte[] longer = Arrays.copyOf(cell, cell.length + 1);
    MalformedCellException e =
        assertThrows(MalformedCellException.class, () -> decoder.decode(longer, new PointBlock()));
    assertEquals(cell.length, e.offset());
  }

  @Test
  void refusesAnEmptyBlockAndOneTooLarge() {
    assertThrows(IllegalArgumentException.class, () -> encoder.encode(new PointBlock()));
    PointBlock large = new PointBlock();
    for (int i = 0; i <= PackedCellEncoder.MAX_POINTS; i++) {
      large.addLong(i, i);
    }
    assertThrows(IllegalArgumentException.class, () -> encoder.encode(large));
  }

  @Test
  void namesTheVersionOfANewerCell() {
    byte[] newer = {(byte) 0xA2, 0, 1};
    CellVersionException e =
        assertThrows(CellVersionException.class, () -> PackedCellHeader.parse(newer));
    assertEquals(2, e.version());
    assertTrue(e.toString().contains("expected=1, found=2"), e.toString());
    assertThrows(CellVersionException.class, () -> decoder.decode(newer, new PointBlock()));
  }

  /** The bytes of the worked example in format.md; changing them is a change of the format. */
  @Test
  void storesSixtyRegularPointsBehindThreeBytes() {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 60; i++) {
      block.addLong(i * 60_000, 20 + (i & 1));
    }
    String cell = HexFormat.of().formatHex(encoder.encode(block));
    assertEquals("a10008" + "042801" + "aaaaaaaaaaaaaa0a", cell);
  }

  @Test
  void packsTheReferenceWalkInSevenBitsAStep() {
    PointBlock block = BlockShapes.block("1s", "walk", 3600, new SplittableRandom(5));
    double bytesPerPoint = encoder.encode(block).length / 3600.0;
    assertTrue(bytesPerPoint > 0.832 && bytesPerPoint <= 0.89, "bytes/point " + bytesPerPoint);
  }

  private boolean decodes(byte[] cell) {
    try {
      PointBlock block = new PointBlock(0);
      decoder.decode(cell, block);
      assertTrue(block.count() >= 1);
      return true;
    } catch (MalformedCellException e) {
      assertTrue(e.offset() >= 0 && e.offset() <= cell.length, e.getMessage());
      return false;
    }
  }
}
