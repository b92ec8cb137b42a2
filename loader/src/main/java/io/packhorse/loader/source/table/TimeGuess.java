package io.packhorse.loader.source.table;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.record.UnitGuess;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Detects the format of the times in a column: the one that fits most of them. */
public final class TimeGuess {
  private static final List<String> DATES =
      List.of(
          "uuuu-M-d",
          "uuuu/M/d",
          "uuuu.M.d",
          "d.M.uuuu",
          "d/M/uuuu",
          "M/d/uuuu",
          "d-M-uuuu",
          "M-d-uuuu",
          "uuuuMMdd",
          "d-MMM-uuuu",
          "d MMM uuuu",
          "MMM d uuuu",
          "MMM d, uuuu",
          "uuuu-MM",
          "uuuu/MM",
          "d.M.uu",
          "uu.M.d",
          "d/M/uu",
          "M/d/uu",
          "uu/M/d",
          "d-M-uu",
          "M-d-uu",
          "uu-M-d",
          "d-MMM-uu",
          "d MMM uu");
  private static final List<String> TIMES =
      List.of(
          "",
          " H:mm",
          " H:mm:ss",
          " H:mm:ss.SSS",
          " H:mm:ss.SSSSSS",
          " h:mm a",
          " h:mm:ss a",
          "'T'H:mm:ss",
          " HHmm",
          " HHmmss");

  /** Dates and times of day that stand together in other ways. */
  private static final List<String> WHOLE =
      List.of(
          "uuuuMMddHH",
          "uuuuMMddHHmm",
          "uuuuMMddHHmmss",
          "uuuuMMddHHmmssSSS",
          "uuuuMMdd'T'HHmm",
          "uuuuMMdd'T'HHmmss",
          "uuuuMMdd'T'HHmmss.SSS",
          "EEE MMM [ppd][d] H:mm:ss uuuu",
          "EEE MMM [ppd][d] H:mm:ss VV uuuu",
          "EEE, d MMM uuuu H:mm:ss",
          "d/MMM/uuuu:H:mm:ss");

  /** Times of day that a lone column cannot have without a date: they may be plain numbers. */
  private static final List<String> HINTED_TIMES =
      List.of(" H.mm", " H.mm.ss", " HHmm", " HHmmss", " H:mm", " H:mm:ss", " H:mm:ss.SSS");

  /** A zone or an offset behind a time, with the blank before it. */
  private static final Pattern ZONE =
      Pattern.compile("(\\d{8}T\\d+.*|.*:\\d.*?)( ?)(UTC|GMT|Z|[-+]\\d\\d(:?)(?:\\d\\d)?)");

  private static final Pattern TIME_OF_DAY =
      Pattern.compile(
          "\\d{1,2}:\\d{2}(:\\d{2}([.]\\d+)?)?( ?[AaPp][Mm])?|\\d{1,2}[.]\\d{2}[.]\\d{2}");
  private static final int WORDS_MAX = 500;
  private static final int DATE_LENGTH = "2024-01-31".length();
  private static final LocalTimes UTC = new LocalTimes(ZoneOffset.UTC, Dst.REJECT);

  private static final List<Form> PATTERNS =
      Stream.concat(
              DATES.stream().flatMap(date -> TIMES.stream().map(time -> date + time)),
              WHOLE.stream())
          .map(Form::of)
          .toList();

  /** Trying every pattern on every word is slow: a pattern must first fit one of these. */
  private static final int FIRST = 3;

  /**
   * A format that may be guessed.
   *
   * @param signs what stands between digits and letters
   * @param digits whether it has digits only, so that it may be a number
   */
  private record Form(String format, String signs, boolean digits) {
    static Form of(String format) {
      String letters = format.replaceAll("'[^']*'", "").replaceAll("[p\\[\\]]", "");
      return new Form(format, signs(letters), letters.matches("[udMHmsS]+") && !isWord(format));
    }

    private static boolean isWord(String format) {
      return format.contains("MMM") || format.contains("'");
    }

    /** Signs of a word or a pattern, a run of blanks as one. */
    static String signs(String word) {
      return word.replaceAll("[\\p{L}\\d]+", "").replaceAll(" +", " ");
    }
  }

  private TimeGuess() {}

  /**
   * The one way that fits most words.
   *
   * @return a format of {@link TableMapping.Time}
   * @throws InputException unless exactly one fits
   */
  public static String format(String input, List<String> words) throws InputException {
    return format(input, words, formats(words));
  }

  /**
   * As {@link #format(String, List)}.
   *
   * @param formats that fit the words, but for those of numbers
   */
  static String format(String input, List<String> words, List<String> formats)
      throws InputException {
    List<String> found = new ArrayList<>(formats);
    if (found.stream().allMatch(format -> Form.of(format).digits())) {
      unitOf(words).ifPresent(unit -> found.add(unit.toString()));
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.size() > 1) {
      throw new InputException(
          input
              + ": times such as '"
              + words.get(0)
              + "' can be read in more than one way; state which with --timestamp-format: "
              + found.stream().map(format -> "'" + format + "'").collect(Collectors.joining(", ")));
    }
    return unit(input, words).toString();
  }

  /**
   * The ways that fit most words, and equally many: more than one if day and month cannot be told
   * apart.
   *
   * @return formats of {@link TableMapping.Time}
   */
  public static List<String> formats(List<String> all) {
    List<String> words = some(all);
    if (isMost(fitting(new IsoTime(UTC), words), words)) {
      return List.of(TableMapping.Time.ISO);
    }
    List<String> first = words.subList(0, Math.min(FIRST, words.size()));
    if (first.stream().noneMatch(TimeGuess::beginsLikeTimes)) {
      return List.of();
    }
    List<String> best = new ArrayList<>();
    long most = 0;
    for (String format : candidates(first)) {
      PatternTime reader = new PatternTime(format, UTC);
      // Digits alone may also count seconds: then they are dates of before 1970 or after 2106.
      boolean strict = Form.of(format).digits();
      long fitting = fitting(reader, strict, words);
      if (fitting > most) {
        most = fitting;
        best.clear();
      }
      if (fitting == most && most > 0) {
        best.add(format);
      }
    }
    return isMost(most, words) ? best : List.of();
  }

  /** Formats with the signs of some words, and the zone behind them. */
  private static Set<String> candidates(List<String> words) {
    Set<String> found = new LinkedHashSet<>();
    for (String word : words) {
      Matcher zoned = ZONE.matcher(word);
      boolean hasZone = zoned.matches();
      String signs = Form.signs(hasZone ? zoned.group(1) : word);
      String zone = hasZone ? zoned.group(2) + zonePattern(zoned.group(3)) : "";
      for (Form pattern : PATTERNS) {
        if (pattern.signs().equals(signs)) {
          found.add(pattern.format() + zone);
        }
      }
    }
    return found;
  }

  private static String zonePattern(String zone) {
    if (zone.length() == 3 && Character.isLetter(zone.charAt(0))) {
      return "VV";
    }
    return zone.contains(":") ? "XXX" : zone.length() > 3 ? "XX" : "X";
  }

  /** Words from everywhere in a list, as many as can be tried. */
  private static List<String> some(List<String> words) {
    int step = (words.size() + WORDS_MAX - 1) / WORDS_MAX;
    return step <= 1
        ? words
        : IntStream.range(0, words.size() / step).mapToObj(i -> words.get(i * step)).toList();
  }

  /**
   * Formats of dates with a time of day behind them that could also be a plain number, such as an
   * hour: to be used where the name of its column says that it is a time of day.
   *
   * @param dates words of the dates alone
   * @param joined words of date, a blank and time of day
   * @param hour whether the column's name says that it is an hour
   */
  static List<String> formatsWithHour(List<String> dates, List<String> joined, boolean hour) {
    List<String> words = some(joined);
    List<String> found = new ArrayList<>();
    for (String date : formats(dates)) {
      String pattern = date.equals(TableMapping.Time.ISO) ? "uuuu-MM-dd" : date;
      for (String time : hour ? List.of(" H") : HINTED_TIMES) {
        if (isMost(fitting(new PatternTime(pattern + time, UTC), words), words)) {
          found.add(pattern + time);
          break;
        }
      }
    }
    return found;
  }

  /** Whether most words are times of day that are not plain numbers. */
  static boolean areTimesOfDay(List<String> words) {
    return isMost(
        words.stream().filter(word -> TIME_OF_DAY.matcher(word).matches()).count(), words);
  }

  /** Whether times of a format, such as these words, say the day and not the time of day. */
  static boolean isDateOnly(String format, List<String> words) {
    if (format.equals(TableMapping.Time.ISO)) {
      return words.stream().allMatch(word -> word.length() <= DATE_LENGTH);
    }
    boolean number = new TableMapping.Time(format, "UTC", Dst.REJECT).reader() instanceof EpochTime;
    return !number && format.chars().noneMatch(letter -> "HhKk".indexOf(letter) >= 0);
  }

  /** Whether one of the patterns may fit: all begin with digits or a name of three letters. */
  private static boolean beginsLikeTimes(String word) {
    return !word.isEmpty()
        && (Character.isDigit(word.charAt(0)) || word.indexOf(' ') == 3 || word.indexOf(',') == 3);
  }

  /**
   * Whether most words are times of a format, which is not a numeric one.
   *
   * @param format of {@link TableMapping.Time}
   */
  public static boolean areTimes(List<String> words, String format) {
    TimeReader reader = new TableMapping.Time(format, "UTC", Dst.REJECT).reader();
    return !(reader instanceof EpochTime) && isMost(fitting(reader, words), words);
  }

  /** Whether words are numbers that {@link #unit} can be asked about. */
  public static boolean areNumbers(List<String> words) {
    return isMost(fitting(new EpochTime(TimestampUnit.SECONDS), words), words)
        || isMost(fitting(new EpochTime(TimestampUnit.NANOSECONDS), words), words);
  }

  /** The unit of words that are numbers, if just one fits. */
  static Optional<TimestampUnit> unitOf(List<String> words) {
    try {
      return areNumbers(words) ? Optional.of(unit("", words)) : Optional.empty();
    } catch (InputException e) {
      return Optional.empty();
    }
  }

  private static TimestampUnit unit(String input, List<String> words) throws InputException {
    UnitGuess guess = new UnitGuess();
    words.forEach(guess::add);
    return guess.unit(input);
  }

  /** Whether at least two thirds of the words fit: the rest may be damaged. */
  public static boolean isMost(long fitting, List<String> words) {
    return fitting > 0 && 3 * fitting >= 2L * words.size();
  }

  private static long fitting(TimeReader reader, List<String> words) {
    return fitting(reader, false, words);
  }

  private static long fitting(TimeReader reader, boolean strict, List<String> words) {
    return words.stream().filter(word -> fits(reader, strict, word)).count();
  }

  private static boolean fits(TimeReader reader, boolean strict, String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    long millis = bytes.length == 0 ? TimeReader.MALFORMED : reader.millis(bytes, 0, bytes.length);
    // A date before 1970 is a time, though it cannot be stored.
    return millis >= 0 || (!strict && millis == TimeReader.OUT_OF_RANGE);
  }
}
