package io.packhorse.loader.source.record;

import io.packhorse.schema.key.BaseTime;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Parses timestamps that are numbers of one unit, also with decimals. Anything finer than a
 * millisecond is cut off.
 *
 * <p>By {@link TimestampUnit#OPENTSDB} they are seconds or milliseconds by OpenTSDB's rule ({@link
 * BaseTime#isMillis}), or seconds with three decimals. OpenTSDB takes dots out of a timestamp
 * wherever they are and so reads {@code 1356998400.5} as a day in 1970. Only the form it reads as
 * written is accepted here.
 *
 * <p>One thread.
 */
public final class EpochTime implements TimeReader {
  private static final int MILLIS_POWER = 3;

  private static final long[] POWERS_OF_TEN = new long[DecimalScanner.COUNT_MAX];

  static {
    POWERS_OF_TEN[0] = 1;
    for (int i = 1; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = POWERS_OF_TEN[i - 1] * 10;
    }
  }

  /** 3 March 1973: below it a number fits a coarser unit than the one detected. */
  private static final long DETECTED_MIN_MS = UnitGuess.EARLIEST_SECONDS * 1000;

  private final TimestampUnit unit;
  private final long minMs;
  private final DecimalScanner digits = new DecimalScanner();

  public EpochTime(TimestampUnit unit) {
    this(unit, 0);
  }

  private EpochTime(TimestampUnit unit, long minMs) {
    this.unit = unit;
    this.minMs = minMs;
  }

  /**
   * One for a unit that was detected from other timestamps of the input. Numbers that it would put
   * before 1973 count in another unit, and are {@link #OTHER_UNIT}.
   */
  public static EpochTime ofDetectedUnit(TimestampUnit unit) {
    return new EpochTime(unit, DETECTED_MIN_MS);
  }

  /** An equal one, for another thread. */
  public EpochTime forAnotherThread() {
    return new EpochTime(unit, minMs);
  }

  public TimestampUnit unit() {
    return unit;
  }

  @Override
  public long millis(byte[] bytes, int from, int to) {
    if (!digits.scan(bytes, from, to) || digits.count() == 0) {
      return MALFORMED;
    }
    return unit == TimestampUnit.OPENTSDB ? byOpenTsdbsRule() : inUnit(byUnit());
  }

  private long inUnit(long millis) {
    return millis > 0 && millis < minMs ? OTHER_UNIT : millis;
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
    // An exponent in the millions must not be expanded into digits.
    int digitsBeforeDot = number.precision() - number.scale();
    boolean mayFit = number.signum() > 0 && digitsBeforeDot > 0 && digitsBeforeDot < 19;
    return mayFit ? inUnit(TimeReader.inRange(number.longValue())) : OUT_OF_RANGE;
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
    boolean fits = !digits.negative() && digits.count() <= DecimalScanner.COUNT_MAX;
    return fits ? TimeReader.inRange(number) : OUT_OF_RANGE;
  }
}
