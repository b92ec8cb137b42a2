package io.packhorse.loader.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.record.ValueReader;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberTextTest {
  private final byte[] into = new byte[NumberText.LENGTH_MAX];
  private final ValueReader reader = new ValueReader();

  @Test
  void integersAreTheirDigits() {
    for (long edge = 1; edge > 0 && edge <= Long.MAX_VALUE / 10; edge *= 10) {
      for (long value : new long[] {edge - 1, edge, edge + 1, 9 * edge, -edge, -edge + 1}) {
        assertEquals(Long.toString(value), text(value));
      }
    }
    for (long value : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
      assertEquals(Long.toString(value), text(value));
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      assertEquals(Long.toString(value), text(value));
    }
  }

  @Test
  void decimalsAreShort() {
    assertEquals("21.5", ofDouble(21.5));
    assertEquals("21.0", ofDouble(21));
    assertEquals("-0.0", ofDouble(-0.0));
    assertEquals("0.0", ofDouble(0));
    assertEquals("-0.001", ofDouble(-0.001));
    assertEquals("100.07", ofDouble(100.07));
    assertEquals("1.0E300", ofDouble(1e300));
    assertEquals("NaN", ofDouble(Double.NaN));
    assertEquals("-Infinity", ofDouble(Double.NEGATIVE_INFINITY));
  }

  @Test
  void everyFiniteDoubleIsReadBackBitByBit() {
    for (double edge :
        new double[] {
          Double.MIN_VALUE,
          Double.MIN_NORMAL,
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          0x1p53,
          0x1p52,
          0x1p63,
          -0x1p63,
          1e15,
          1e16,
          0.1f,
          123456.79f,
          1.0 / 3
        }) {
      assertReadBack(edge);
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 200_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      assertReadBack(Double.isFinite(any) ? any : i);
      assertReadBack(random.nextLong(2_000_000_000) / Math.pow(10, random.nextInt(12)));
      assertReadBack((float) random.nextDouble() * 1000);
      assertReadBack(random.nextDouble() * Math.pow(10, random.nextInt(20)));
    }
  }

  private void assertReadBack(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int length = NumberText.putDouble(bits, into, 0);
    assertEquals(null, reader.read(into, 0, length), Double.toString(value));
    assertTrue(reader.isDouble(), Double.toString(value));
    assertEquals(bits, reader.bits(), Double.toString(value));
  }

  private String text(long value) {
    return new String(into, 0, NumberText.put(value, into, 0), StandardCharsets.US_ASCII);
  }

  private String ofDouble(double value) {
    int length = NumberText.putDouble(Double.doubleToRawLongBits(value), into, 0);
    return new String(into, 0, length, StandardCharsets.US_ASCII);
  }
}
