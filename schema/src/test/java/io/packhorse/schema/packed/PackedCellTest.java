package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void blocksAtTheEdgesComeBackBitForBit() throws MalformedCellException {
    List<String> kinds = new ArrayList<>(BlockEdges.VALUES);
    kinds.addAll(BlockEdges.TIMES);
    PointBlock back = new PointBlock();
    for (String kind : kinds) {
      int index = 0;
      for (PointBlock block : BlockEdges.blocks(kind, 24).toList()) {
        byte[] cell = encoder.encode(block);
        decoder.decode(cell, back);
        assertEquals(block, back, kind + " " + index);
        assertEquals(block, ReferenceDecoder.decode(cell), kind + " " + index);
        index++;
      }
    }
  }

  /** First, last and second offset are those of regular ones; those between are not. */
  @Test
  void offsetsThatOnlyBeginAndEndEvenlyComeBack() throws MalformedCellException {
    PointBlock block = new PointBlock();
    for (int offset : new int[] {0, 1000, 2500, 3000}) {
      block.addLong(offset, 1);
    }
    PointBlock back = new PointBlock();
    decoder.decode(encoder.encode(block), back);
    assertEquals(block, back);
  }

  @Test
  void decimalsOnACurveAreSecondDifferences() throws MalformedCellException {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 40; i++) {
      block.addDouble(1000 * i, Double.doubleToRawLongBits((5 * i * i + (i & 1)) / 100.0));
    }
    byte[] cell = encoder.encode(block);
    assertEquals("decimals of second differences, radix", PackedCellDump.of(cell).values());
    PointBlock back = new PointBlock();
    decoder.decode(cell, back);
    assertEquals(block, back);
  }

  /** A pattern of 90 values, repeated: of wide values each is unique in most of the cell. */
  @ParameterizedTest
  @CsvSource({"40, lengths", "62, lengths", "10, dictionary"})
  void valuesThatRepeatAtADistanceComeBack(int bits, String form) throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(6);
    long[] some = new long[90];
    for (int i = 0; i < some.length; i++) {
      some[i] = random.nextLong() >>> (64 - 1 - random.nextInt(bits));
    }
    PointBlock block = new PointBlock();
    for (int i = 0; i < 170; i++) {
      block.addLong(1000 * i, some[i % some.length]);
    }
    byte[] cell = encoder.encode(block);
    assertEquals(form, PackedCellDump.of(cell).values());
    PointBlock back = new PointBlock();
    decoder.decode(cell, back);
    assertEquals(block, back);
    assertEquals(block, ReferenceDecoder.decode(cell));
  }

  /** Magnitudes above 2^59 do not fit the numbers of steps; the cell takes another form. */
  @Test
  void stepsAreAtMost2To59() throws MalformedCellException {
    long end = 1L << 59;
    Steps steps = new Steps();
    long[] residuals = new long[40];
    for (long size : new long[] {end, 1 - end}) {
      residuals[20] = size;
      int cost = steps.cost(residuals, residuals.length, 0);
      ByteWriter out = new ByteWriter(0);
      steps.write(residuals, out);
      assertEquals(cost, out.length());
      byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
      long[] back = new long[residuals.length];
      steps.read(new ByteReader(bytes, 0, out.length()), bytes, back, 0, residuals.length);
      assertArrayEquals(residuals, back);
    }
    SplittableRandom random = new SplittableRandom(15);
    for (int i = 0; i < 200; i++) {
      residuals[random.nextInt(residuals.length)] = random.nextLong() >> (5 + random.nextInt(58));
      int cost = steps.cost(residuals, residuals.length, 0);
      ByteWriter out = new ByteWriter(0);
      steps.write(residuals, out);
      assertEquals(cost, out.length());
    }
    for (long size : new long[] {end + 1, -end - 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      residuals[20] = size;
      assertEquals(Integer.MAX_VALUE, steps.cost(residuals, residuals.length, 0));
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
  void storesSixtyRegularPointsBehindTwoBytes() {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 60; i++) {
      block.addLong(i * 60_000, 20 + (i & 1));
    }
    String cell = HexFormat.of().formatHex(encoder.encode(block));
    assertEquals("c008" + "042801" + "aaaaaaaaaaaaaa0a", cell);
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
