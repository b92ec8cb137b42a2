package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every shape of word, full and not, comes back as digits and as sums of digits. */
class RadixWordsTest {
  @Test
  void digitsAndTheirSumsComeBack() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(4);
    for (int radix = RadixWords.RADIX_MIN; radix < 1040; radix++) {
      check(radix, random);
    }
    for (int radix = 1040; radix <= RadixWords.RADIX_MAX; radix += 1 + random.nextInt(9000)) {
      check(radix, random);
    }
    check(RadixWords.RADIX_MAX, random);
  }

  @Test
  void theGeneratedMethodsAreThoseOfTheGenerator() throws IOException {
    String source = Files.readString(RadixDigitsGenerator.FILE);
    assertEquals(
        RadixDigitsGenerator.generate(source), source, "run RadixDigitsGenerator in this module");
  }

  private static void check(int radix, SplittableRandom random) throws MalformedCellException {
    int digits = RadixWords.shape(radix) >>> 6;
    int words = random.nextInt(3 + 12 / digits);
    for (int count : new int[] {Math.max(1, words * digits), words * digits + 1, 1 + digits / 2}) {
      check(radix, count, random);
    }
  }

  private static void check(int radix, int count, SplittableRandom random)
      throws MalformedCellException {
    long base = random.nextInt(2001) - 1000L;
    int from = random.nextInt(3);
    long[] values = new long[from + count];
    for (int i = from; i < values.length; i++) {
      values[i] = base + (random.nextInt(4) == 0 ? radix - 1 : random.nextInt(radix));
    }
    ByteWriter out = new ByteWriter(0);
    int lead = random.nextInt(3);
    out.writeBytes(new byte[] {-1, -1, -1}, 0, lead);
    RadixWords.pack(values, from, from + count, base, radix, out);
    String message = "radix " + radix + ", count " + count;
    assertEquals(lead + RadixWords.bytes(radix, count), out.length(), message);
    byte[] bytes = Arrays.copyOf(out.toByteArray(), out.length() + BitPacking.SLACK);
    long[] back = new long[from + count];
    ByteReader in = new ByteReader(bytes, lead, out.length());
    RadixWords.unpack(in, bytes, count, radix, back, from);
    BitPacking.add(back, from, from + count, base);
    in.expectEnd();
    assertArrayEquals(values, back, message);
    long first = random.nextInt();
    in.reset(bytes, lead, out.length());
    RadixWords.unpackSums(in, bytes, count, base, radix, first, back, from);
    in.expectEnd();
    long sum = first;
    for (int i = from; i < values.length; i++) {
      sum += values[i];
      assertEquals(sum, back[i], message);
    }
  }
}
