package io.packhorse.loader.source.table;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What casts doubt on the role of a single column: words that mean more than they say. */
final class ColumnDoubts {
  /** Numbers with a sign or a unit before or behind them. */
  private static final Pattern DECORATED =
      Pattern.compile(
          "[$€£¥]\\s?[-+]?\\d[\\d.,'’]*|[-+]?\\d[\\d.,'’\\s\u00a0\u202f]*\\s?[%‰°€$£¥].{0,3}"
              + "|[-+]?\\d+[.,]\\d+\\s?[\\p{L}/]{1,6}[23²³]?|[-+]?\\d+\\s+[\\p{L}/]{1,5}[23²³]?"
              + "|[-+]?\\d{1,3}(?:[\\s\u00a0\u202f'’.,]\\d{3})+(?:[.,]\\d*)?|[-+]?\\d+,\\d+");

  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final Pattern THOUSANDTHS = Pattern.compile("\\d{1,3}");
  private static final Pattern HALF_OF_DAY = Pattern.compile("(?i)[ap]\\.?m\\.?");
  private static final Pattern OFFSET =
      Pattern.compile("[-+]?\\d{1,2}(:?\\d\\d)?|[A-Z]{2,5}|[A-Za-z]+/[A-Za-z_/]+|Z");
  private static final Set<String> OFFSET_NAMES =
      Set.of("tz", "timezone", "time_zone", "time zone", "utc_offset", "utcoffset", "gmt_offset");
  private static final Set<String> MILLIS_NAMES =
      Set.of("ms", "msec", "millis", "millisecond", "milliseconds");

  private ColumnDoubts() {}

  /**
   * The doubt about a column that would be tags.
   *
   * @param shown its name for messages
   */
  static Optional<String> ofText(String shown, String name, List<String> words) {
    if (fit(DECORATED, words)) {
      return Optional.of(
          "the column '"
              + shown
              + "' holds numbers with something beside them, such as '"
              + words.get(0)
              + "', which are not read as values: --tag stores them as tags, --ignore leaves them"
              + " out");
    }
    if (fit(HALF_OF_DAY, words)) {
      return Optional.of(partOfTime(shown, "says whether a time is before noon"));
    }
    return ofOffset(shown, name, words);
  }

  /** The doubt about a column that says true or false. */
  static String ofTruths(String shown, List<String> words) {
    return "the column '"
        + shown
        + "' says "
        + words.stream().distinct().sorted().limit(2).collect(Collectors.joining(" or "))
        + ", which is not a number: --booleans-as-numbers stores such columns as 1 and 0, --tag"
        + " makes it a tag, so that a series ends where it changes, --ignore leaves it out";
  }

  /**
   * The doubt about a column that would be tags, but has words for missing values: always if one
   * means that a number is missing, else from a third on.
   */
  static Optional<String> ofMissing(String shown, List<String> words, List<String> missing) {
    Optional<String> number =
        missing.stream().filter(word -> word.equalsIgnoreCase("nan")).findFirst();
    if (number.isEmpty() && 2L * missing.size() <= words.size()) {
      return Optional.empty();
    }
    return Optional.of(
        "the column '"
            + shown
            + "' holds text such as '"
            + words.get(0)
            + "' and '"
            + number.orElse(missing.get(0))
            + "', which stands for a missing value: it may hold values or tags");
  }

  /** The doubt about a column that would be values. */
  static Optional<String> ofNumbers(String shown, String name, List<String> words) {
    if (fit(DIGITS, words)) {
      if (words.stream().anyMatch(word -> word.matches("0\\d+"))) {
        return Optional.of(
            "the column '"
                + shown
                + "' has numbers that begin with 0: --tag keeps them as they are, --value reads"
                + " them as numbers");
      }
      if (MILLIS_NAMES.contains(name.toLowerCase(Locale.ROOT)) && fit(THOUSANDTHS, words)) {
        return Optional.of(partOfTime(shown, "may be the milliseconds of the time"));
      }
    }
    return ofOffset(shown, name, words);
  }

  private static Optional<String> ofOffset(String shown, String name, List<String> words) {
    return OFFSET_NAMES.contains(name.toLowerCase(Locale.ROOT)) && fit(OFFSET, words)
        ? Optional.of(partOfTime(shown, "says in which time zone its row's time is"))
        : Optional.empty();
  }

  private static String partOfTime(String shown, String what) {
    return "the column '"
        + shown
        + "' "
        + what
        + ", and is not joined with it: --time-column for each column of the time and"
        + " --timestamp-format join them; --tag, --value or --ignore say that it is no part";
  }

  private static boolean fit(Pattern pattern, List<String> words) {
    return TimeGuess.isMost(
        words.stream().filter(word -> pattern.matcher(word).matches()).count(), words);
  }
}
