package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.table.ColumnNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the numbers of a table are written: which character stands before the decimals, and which
 * between thousands. {@code 1,234} alone may be either, and other cells have to settle it.
 *
 * @param decimal {@code .} or {@code ,}
 * @param thousands the other of the two, or an apostrophe; null if no number is written so
 * @param doubt why this is not certain
 */
record NumberStyle(char decimal, @Nullable Character thousands, Optional<String> doubt) {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?|[-+]?(?i:inf|infinity)");
  private static final Pattern COMMA_NUMBER =
      Pattern.compile("[-+]?(\\d+,\\d*|,\\d+)([eE][-+]?\\d+)?");

  /** Times in seconds have a point whatever other numbers have. */
  private static final Pattern SECONDS = Pattern.compile("\\d{9,10}[.]\\d+");

  /** Numbers with separators, decimals or not. */
  private static final Pattern NUMBER_LIKE = Pattern.compile("[-+]?[\\d.,'’]*\\d[\\d.,'’]*");

  /** One or more groups of three digits, and decimals behind the other character. */
  private static final Pattern COMMA_GROUPS = groups(",", "[.]");

  private static final Pattern DOT_GROUPS = groups("[.]", ",");
  private static final Pattern APOSTROPHE_GROUPS = groups("'", "[.,]");

  private static Pattern groups(String thousands, String decimal) {
    return Pattern.compile(
        "[-+]?[1-9]\\d{0,2}(?:" + thousands + "\\d{3})+(?:" + decimal + "\\d*)?");
  }

  private static final int GROUP = 3;

  /** What cells show: that a character separates decimals or thousands, or one of both. */
  private static final class Signs {
    private boolean decimalComma;
    private boolean decimalDot;
    private boolean commaGroups;
    private boolean dotGroups;
    private boolean apostrophes;
    private Optional<String> eitherComma = Optional.empty();
    private boolean eitherDot;

    void add(String word) {
      int commas = count(word, ',');
      int dots = count(word, '.');
      if (APOSTROPHE_GROUPS.matcher(word).matches()) {
        apostrophes = true;
        decimalComma |= commas > 0;
        decimalDot |= dots > 0;
      } else if (COMMA_GROUPS.matcher(word).matches()) {
        commaGroups |= commas > 1 || dots > 0;
        decimalDot |= dots > 0;
        eitherComma = commas == 1 && dots == 0 ? Optional.of(word) : eitherComma;
      } else if (DOT_GROUPS.matcher(word).matches()) {
        dotGroups |= dots > 1 || commas > 0;
        decimalComma |= commas > 0;
        eitherDot |= dots == 1 && commas == 0;
      } else {
        decimalComma |= COMMA_NUMBER.matcher(word).matches();
        decimalDot |= dots == 1 && NUMBER.matcher(word).matches();
      }
    }

    private static int count(String word, char c) {
      return (int) word.chars().filter(each -> each == c).count();
    }

    NumberStyle style(Optional<String> stated) {
      boolean comma = decimalComma || dotGroups;
      boolean dot = decimalDot || commaGroups;
      boolean isComma = stated.map(","::equals).orElse(comma && !(dot && !decimalComma));
      boolean contradicted = isComma ? decimalDot : decimalComma;
      boolean perhaps = !contradicted && (isComma ? eitherDot : eitherComma.isPresent());
      boolean grouped = perhaps || (isComma ? dotGroups : commaGroups);
      Character between = isComma ? '.' : ',';
      Character thousands = apostrophes ? (Character) '\'' : grouped ? between : null;
      Optional<String> doubt = Optional.empty();
      if (stated.isEmpty() && comma && dot) {
        doubt =
            Optional.of(
                "some numbers have decimal commas and others decimal points; --decimal , or"
                    + " --decimal . states which, and the others are rejects");
      } else if (stated.isEmpty() && !comma && !dot) {
        doubt =
            eitherComma.map(
                word ->
                    "numbers such as '"
                        + word
                        + "' have a comma before decimals, or between thousands: --decimal , or"
                        + " --decimal . states which");
      }
      return new NumberStyle(isComma ? ',' : '.', thousands, doubt);
    }
  }

  /**
   * The style of a table.
   *
   * @param rows of as many fields as there are names are looked at
   * @param missing words that stand for a missing value
   * @param stated the character before decimals, if the user states it
   */
  static NumberStyle of(
      List<List<String>> rows, List<String> names, Set<String> missing, Optional<String> stated) {
    Signs signs = new Signs();
    for (int column = 0; column < names.size(); column++) {
      if (ColumnNames.hasTimeWord(names.get(column))) {
        continue;
      }
      int place = column;
      List<String> words =
          rows.stream()
              .filter(row -> row.size() == names.size())
              .map(row -> row.get(place))
              .filter(word -> !word.isEmpty() && !missing.contains(word))
              .toList();
      List<String> numbers =
          words.stream().filter(word -> NUMBER_LIKE.matcher(word).matches()).toList();
      if (2 * numbers.size() > words.size()) {
        numbers.stream()
            .filter(NumberStyle::hasSigns)
            .filter(word -> !SECONDS.matcher(word).matches())
            .forEach(signs::add);
      }
    }
    return signs.style(stated);
  }

  private static boolean hasSigns(String word) {
    return word.indexOf('.') >= 0 || word.indexOf(',') >= 0 || word.indexOf('\'') >= 0;
  }

  /** Whether a word is a number in any style, or none that is stored. */
  static boolean isAnyNumber(String word) {
    return NUMBER.matcher(word).matches()
        || COMMA_NUMBER.matcher(word).matches()
        || COMMA_GROUPS.matcher(word).matches()
        || DOT_GROUPS.matcher(word).matches()
        || APOSTROPHE_GROUPS.matcher(word).matches();
  }

  /** Whether a word is a number in this style. */
  boolean isNumber(String word) {
    if (NUMBER.matcher(word).matches() && (decimal == '.' || word.indexOf('.') < 0)) {
      return true;
    }
    return (decimal == ',' && COMMA_NUMBER.matcher(word).matches())
        || (thousands != null && groups().matcher(word).matches());
  }

  private Pattern groups() {
    return thousands == null || thousands == '\''
        ? APOSTROPHE_GROUPS
        : thousands == ',' ? COMMA_GROUPS : DOT_GROUPS;
  }

  /**
   * Writes a number as the loader reads it, with a decimal point and without thousands.
   *
   * @param word the number in {@code [0, length)}; changed
   * @param decimal as in the table
   * @param thousands as in the table; 0 if no number is written so
   * @return its new length, or -1 if it is not written in this style
   */
  static int plain(byte[] word, int length, byte decimal, byte thousands) {
    int to = 0;
    int run = 0;
    boolean grouped = false;
    boolean whole = true;
    for (int i = 0; i < length; i++) {
      byte c = word[i];
      if (whole && thousands != 0 && c == thousands) {
        if (run == 0 || (grouped ? run != GROUP : run > GROUP)) {
          return -1;
        }
        grouped = true;
        run = 0;
        continue;
      }
      if (c >= '0' && c <= '9') {
        run++;
      } else if (whole && (i > 0 || (c != '-' && c != '+'))) {
        if (grouped && run != GROUP) {
          return -1;
        }
        whole = false;
      }
      if (c == '.' && decimal != '.') {
        return -1;
      }
      word[to++] = c == decimal ? (byte) '.' : c;
    }
    return whole && grouped && run != GROUP ? -1 : to;
  }
}
