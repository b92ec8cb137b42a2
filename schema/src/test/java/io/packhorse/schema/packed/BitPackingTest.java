package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Fields of every width come back, from a buffer that has to grow and into a used array. */
class BitPackingTest {
  private final SplittableRandom random = new SplittableRandom(6);

  @Test
  void fieldsOfEveryWidthComeBack() throws MalformedCellException {
    for (int width = 0; width <= 64; width++) {
      for (int count = 1; count < 20; count++) {
        long base = width == 64 ? 0 : random.nextInt();
        long[] values = new long[count + 1];
        for (int i = 1; i <= count; i++) {
          values[i] = base + (width == 0 ? 0 : random.nextLong() >>> (64 - width));
        }
        ByteWriter out = new ByteWriter(0);
        BitPacking.pack(values, 1, count + 1, base, width, out);
        assertEquals(BitPacking.bytes(count, width), out.length());
        byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
        long[] back = used(count);
        ByteReader in = new ByteReader(bytes, 0, out.length());
        BitPacking.unpack(in, bytes, count, base, width, back, 1);
        in.expectEnd();
        assertArrayEquals(values, back, "width " + width + ", count " + count);
      }
    }
  }

  @Test
  void zigzagFieldsOfEveryWidthComeBack() throws MalformedCellException {
    for (int width = 0; width <= 64; width++) {
      for (int count = 1; count < 20; count++) {
        long[] values = new long[count + 1];
        for (int i = 1; i <= count; i++) {
          values[i] = width == 0 ? 0 : random.nextLong() >> (64 - width);
        }
        ByteWriter out = new ByteWriter(0);
        BitPacking.packZigzag(values, 1, count + 1, width, out);
        byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
        long[] back = used(count);
        ByteReader in = new ByteReader(bytes, 0, out.length());
        BitPacking.unpackZigzag(in, bytes, count, width, back, 1);
        in.expectEnd();
        assertArrayEquals(values, back, "width " + width + ", count " + count);
      }
    }
  }

  @Test
  void lengthsOfBytesComeBackFromABufferThatGrows() throws MalformedCellException {
    ByteLengths lengths = new ByteLengths();
    for (int count = 1; count < 50; count++) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = random.nextLong() >> (count % 3 == 0 ? 0 : random.nextInt(64));
      }
      ByteWriter out = new ByteWriter(0);
      int valueBytes = lengths.scan(values, count);
      lengths.write(values, count, out);
      assertEquals(ByteLengths.codeBytes(count) + valueBytes, out.length());
      byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
      long[] back = used(count);
      ByteReader in = new ByteReader(bytes, 0, out.length());
      ByteLengths.read(in, bytes, count, back);
      in.expectEnd();
      assertArrayEquals(values, Arrays.copyOf(back, count));
    }
  }

  private static long[] used(int count) {
    long[] array = new long[count + 1];
    Arrays.fill(array, 1, count + 1, -7);
    return array;
  }
}
