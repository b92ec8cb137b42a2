package io.packhorse.loader.source.text;

import io.packhorse.schema.key.BaseTime;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Timestamps as numbers of one unit, also with decimals. What is finer than OpenTSDB's milliseconds
 * is cut off.
 *
 * <p>By {@link TimestampUnit#OPENTSDB} they are seconds or milliseconds by OpenTSDB's rule ({@link
 * BaseTime#isMillis}), or seconds with three decimals. OpenTSDB takes dots out of a timestamp
 * wherever they are and so reads {@code 1356998400.5} as a day in 1970. Only the form it reads as
 * written is accepted here.
 *
 * <p>One thread.
 */
public final class LineTime implements TimeReader {
  private static final int MILLIS_POWER = 3;

  private static final long[] POWERS_OF_TEN = new long[Digits.COUNT_MAX];

  static {
    POWERS_OF_TEN[0] = 1;
    for (int i = 1; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = POWERS_OF_TEN[i - 1] * 10;
    }
  }

  private final TimestampUnit unit;
  private final Digits digits = new Digits();

  public LineTime(TimestampUnit unit) {
    this.unit = unit;
  }

  public TimestampUnit unit() {
    return unit;
  }

  @Override
  public long millis(byte[] bytes, int from, int to) {
    if (!digits.scan(bytes, from, to) || digits.count() == 0) {
      return MALFORMED;
    }
    return unit == TimestampUnit.OPENTSDB ? byOpenTsdbsRule() : byUnit();
  }

  /** As {@link #millis}, but the number may have an exponent; the unit is not OpenTSDB's rule. */
  public long millisOfFloating(byte[] bytes, int from, int to) {
    long millis = millis(bytes, from, to);
    return millis == MALFORMED ? withExponent(bytes, from, to) : millis;
  }

  private long withExponent(byte[] bytes, int from, int to) {
    BigDecimal number;
    try {
      String word = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
      number = new BigDecimal(word).scaleByPowerOfTen(MILLIS_POWER - unit.power());
    } catch (ArithmeticException | NumberFormatException e) {
      return MALFORMED;
    }
    // No number of millions of digits is to be written out.
    int digitsBeforeDot = number.precision() - number.scale();
    boolean mayFit = number.signum() > 0 && digitsBeforeDot > 0 && digitsBeforeDot < 19;
    return mayFit ? TimeReader.inRange(number.longValue()) : OUT_OF_RANGE;
  }

  private long byOpenTsdbsRule() {
    if (digits.decimals() >= 0 && digits.decimals() != MILLIS_POWER) {
      return MALFORMED;
    }
    long number = inRange(digits.magnitude());
    if (number < 0 || BaseTime.isMillis(number)) {
      return number;
    }
    return digits.decimals() < 0 ? number * 1000 : MALFORMED;
  }

  private long byUnit() {
    long number = digits.magnitude();
    int finer = Math.max(0, digits.decimals()) + unit.power() - MILLIS_POWER;
    if (finer >= POWERS_OF_TEN.length) {
      return OUT_OF_RANGE;
    }
    if (finer >= 0) {
      return inRange(number < 0 ? -1 : number / POWERS_OF_TEN[finer]);
    }
    return inRange(number > BaseTime.MAX_MS ? -1 : number * POWERS_OF_TEN[-finer]);
  }

  private long inRange(long number) {
    boolean fits = !digits.negative() && digits.count() <= Digits.COUNT_MAX;
    return fits ? TimeReader.inRange(number) : OUT_OF_RANGE;
  }
}
