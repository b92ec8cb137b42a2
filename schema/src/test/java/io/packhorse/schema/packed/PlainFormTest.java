package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlainFormTest {
  private final PlainForm plain = new PlainForm();

  /** Values of all kinds at uneven seconds, each point that {@code every} divides a part later. */
  private static PointBlock block(int count, int every, SplittableRandom random) {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      int part = i % every == every - 1 ? random.nextInt(1000) : 0;
      long bits = random.nextLong() >> (8 * random.nextInt(8));
      switch (random.nextInt(3)) {
        case 0 -> block.addLong(9000 * i + part, bits);
        case 1 -> block.addDouble(9000 * i + part, bits);
        default -> block.addDouble(9000 * i + part, FloatBits.widen((int) bits));
      }
    }
    return block;
  }

  /**
   * Counts around those where the form changes; the cost is what is written, all but a checksum.
   */
  @Test
  void costsWhatItWritesAndComesBack() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(9);
    PackedCellDecoder decoder = new PackedCellDecoder();
    PointBlock back = new PointBlock(0);
    for (int count : new int[] {1, 2, 3, 4, 5, 13, 14, 15, 16, 17, 62, 63, 64, 65, 127, 128, 300}) {
      for (int every : new int[] {1, 2, 3, 10, 32, 77, 1000}) {
        PointBlock block = block(count, every, random);
        ByteWriter out = new ByteWriter(0);
        int cost = plain.cost(block);
        plain.write(block, out);
        if (count >= PackedCellDescriptor.CHECKSUM_FROM_POINTS) {
          java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
          crc.update(out.array(), 0, out.length());
          out.writeIntLE((int) crc.getValue());
        }
        String message = "count " + count + ", parts every " + every;
        assertEquals(cost, out.length(), message);
        decoder.decode(out.toByteArray(), back);
        assertEquals(block, back, message);
        assertEquals(block, ReferenceDecoder.decode(out.toByteArray()), message);
        assertTrue(cost >= PlainForm.minBytes(count, count), message);
      }
    }
  }

  /** Floats among doubles; cells of 64 points and more end in a checksum in this form too. */
  @Test
  void theEncoderTakesItForPointsOfNothingInCommon() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(12);
    PackedCellDecoder decoder = new PackedCellDecoder();
    PointBlock back = new PointBlock(0);
    for (int count : new int[] {14, 15, 63, 64, 65, 120}) {
      PointBlock block = new PointBlock(count);
      int second = 0;
      for (int i = 0; i < count; i++) {
        second += 1 + random.nextInt(3000 / count);
        block.addDouble(
            1000 * second, i % 2 == 0 ? FloatBits.widen(random.nextInt()) : random.nextLong());
      }
      byte[] cell = new PackedCellEncoder().encode(block);
      PackedCellHeader header = PackedCellHeader.parse(cell);
      assertTrue(header.plain(), "count " + count);
      assertEquals(count >= PackedCellDescriptor.CHECKSUM_FROM_POINTS, header.checksum());
      assertEquals(plain.cost(block), cell.length);
      decoder.decode(cell, back);
      assertEquals(block, back);
    }
  }

  @Test
  void theBoundIsWhatTheSmallestBlocksTake() {
    for (int count = 1; count <= 14; count++) {
      PointBlock block = new PointBlock(count);
      for (int i = 0; i < count; i++) {
        block.addLong(1000 * i, i);
      }
      int above = plain.cost(block) - PlainForm.minBytes(count, count);
      assertTrue(above == 0 || above == 1, count + " points: " + above);
    }
  }
}
