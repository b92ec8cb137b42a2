package io.packhorse.loader.source.record;

import io.packhorse.loader.source.input.InputException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Infers the unit of an input's timestamps from those at its beginning: the one unit in which they
 * lie between 1973 and 2106. Words that fit no unit are skipped. One thread.
 */
public final class UnitGuess {
  static final long EARLIEST_SECONDS = 100_000_000;
  private static final long LATEST_SECONDS = 0xffff_ffffL;
  private static final int LENGTH_MAX = 40;
  private static final Pattern EXPONENTIAL =
      Pattern.compile("[+]?(\\d+[.]?\\d*|[.]\\d+)[eE][-+]?\\d+");

  private final DecimalScanner digits = new DecimalScanner();
  private final Set<TimestampUnit> seen = EnumSet.noneOf(TimestampUnit.class);
  private String first = "";

  /** Takes a word where a timestamp should stand. */
  public void add(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0
        || bytes.length > LENGTH_MAX
        || !digits.scan(bytes, 0, bytes.length)
        || digits.count() > DecimalScanner.COUNT_MAX
        || digits.negative()) {
      return;
    }
    take(digits.magnitude() / Math.pow(10, Math.max(0, digits.decimals())));
  }

  /** As {@link #add}, but the number may have an exponent. */
  public void addFloating(String word) {
    if (word.length() <= LENGTH_MAX && EXPONENTIAL.matcher(word).matches()) {
      take(Double.parseDouble(word));
    } else {
      add(word);
    }
  }

  private void take(double number) {
    first = first.isEmpty() ? String.valueOf(number) : first;
    for (TimestampUnit unit : TimestampUnit.values()) {
      double seconds = number / Math.pow(10, unit.power());
      if (unit != TimestampUnit.OPENTSDB
          && seconds >= EARLIEST_SECONDS
          && seconds <= LATEST_SECONDS) {
        seen.add(unit);
      }
    }
  }

  /**
   * The unit.
   *
   * @param input its name, for the message
   * @throws InputException unless exactly one fits
   */
  public TimestampUnit unit(String input) throws InputException {
    if (seen.size() == 1) {
      return seen.iterator().next();
    }
    throw new InputException(
        seen.isEmpty()
            ? input
                + ": the timestamps at its beginning"
                + (first.isEmpty() ? "" : ", such as " + first + ",")
                + " are not between 1973 and 2106 in any unit;"
                + " state the unit with --timestamp-unit s|ms|us|ns"
            : input
                + ": the timestamps at its beginning fit more than one unit, "
                + seen
                + "; state the unit with --timestamp-unit");
  }
}
