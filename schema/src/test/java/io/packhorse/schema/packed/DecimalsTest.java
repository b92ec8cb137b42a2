package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void quotientIsThatOfTheDivision(int exponent) {
    Random random = new Random(exponent);
    check(0, exponent);
    for (int i = 0; i < 100_000; i++) {
      check(random.nextLong() >> (13 + random.nextInt(51)), exponent);
    }
  }

  /** Mantissas whose quotient lies as near as it can to the middle between two doubles. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 11, 15})
  void quotientNearAMiddleIsThatOfTheDivision(int exponent) {
    BigInteger five = BigInteger.valueOf(5).pow(exponent);
    int found = 0;
    // q / 10^e = q / 5^e / 2^e is near m / 2^s, m odd, where q * 2^s is 1 or -1 modulo 5^e.
    for (int shift = 0; shift < 100; shift++) {
      BigInteger inverse = BigInteger.TWO.pow(shift).modInverse(five);
      for (BigInteger q : new BigInteger[] {inverse, five.subtract(inverse)}) {
        for (int step = 0; step < 2000; step++) {
          long mantissa = q.add(five.multiply(BigInteger.valueOf(step))).longValue();
          if (Decimals.inRange(mantissa)) {
            check(mantissa, exponent);
            check(-mantissa, exponent);
            found++;
          }
        }
      }
    }
    assertEquals(400_000, found);
  }

  @Test
  void mantissasLieInMinus2To51Up() {
    long end = 1L << 51;
    assertTrue(Decimals.inRange(-end));
    assertTrue(Decimals.inRange(end - 1));
    assertFalse(Decimals.inRange(end));
    assertFalse(Decimals.inRange(-end - 1));
    assertEquals(-end, Decimals.mantissa(Double.doubleToRawLongBits(-0x1p51), 0));
    assertEquals(Decimals.NONE, Decimals.mantissa(Double.doubleToRawLongBits(0x1p51), 0));
  }

  @Test
  void theExponentOfSeveralIsTheLeastThatServesAll() {
    long one = Double.doubleToRawLongBits(1);
    assertEquals(0, Decimals.exponentOf(one, one, one, one));
    for (int exponent = 1; exponent <= Decimals.EXPONENT_MAX; exponent++) {
      long min = Double.doubleToRawLongBits(1 / Decimals.power(exponent));
      assertEquals(exponent, Decimals.exponentOf(min, one, one, one));
      assertEquals(exponent, Decimals.exponentOf(one, min, one, one));
      assertEquals(exponent, Decimals.exponentOf(one, one, min, one));
      assertEquals(exponent, Decimals.exponentOf(one, one, one, min));
    }
    long none = Double.doubleToRawLongBits(1e-16);
    assertEquals(-1, Decimals.exponentOf(one, one, one, none));
  }

  private static void check(long mantissa, int exponent) {
    double expected = (double) mantissa / Decimals.power(exponent);
    double found = Decimals.quotient((double) mantissa, exponent);
    if (Double.doubleToRawLongBits(expected) != Double.doubleToRawLongBits(found)) {
      assertEquals(expected, found, () -> mantissa + " / 10^" + exponent);
    }
  }
}
