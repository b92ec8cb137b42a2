package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Infers what the timestamps of an input count from those at its beginning: the one unit in which
 * they lie between 1973 and 2106. Words that are so in no unit are passed over. One thread.
 */
public final class UnitGuess {
  private static final long EARLIEST_SECONDS = 100_000_000;
  private static final long LATEST_SECONDS = 0xffff_ffffL;
  private static final int LENGTH_MAX = 40;
  private static final Pattern EXPONENTIAL =
      Pattern.compile("[+]?(\\d+[.]?\\d*|[.]\\d+)[eE][-+]?\\d+");

  private final Digits digits = new Digits();
  private final Set<TimestampUnit> seen = EnumSet.noneOf(TimestampUnit.class);

  /** Takes a word where a timestamp should stand. */
  public void add(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0
        || bytes.length > LENGTH_MAX
        || !digits.scan(bytes, 0, bytes.length)
        || digits.count() > Digits.COUNT_MAX
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
   * @throws InputException if there is none, or more than one
   */
  public TimestampUnit unit(String input) throws InputException {
    if (seen.size() == 1) {
      return seen.iterator().next();
    }
    throw new InputException(
        seen.isEmpty()
            ? input
                + ": the timestamps at its beginning lie between 1973 and 2106 in no unit; state"
                + " theirs with --timestamp-unit"
            : input
                + ": the timestamps at its beginning fit more than one unit, "
                + seen
                + "; state theirs with --timestamp-unit");
  }
}
