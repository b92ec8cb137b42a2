package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.LineTime;
import io.packhorse.loader.source.text.TimeReader;
import io.packhorse.loader.source.text.TimestampUnit;
import io.packhorse.loader.source.text.UnitGuess;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Finds out how the times of a column are written: the one way that fits most of them. */
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
          "uuuu/MM");
  private static final List<String> TIMES =
      List.of(
          "",
          " H:mm",
          " H:mm:ss",
          " H:mm:ss.SSS",
          " h:mm a",
          " h:mm:ss a",
          "'T'H:mm:ss",
          " HHmm",
          " HHmmss");
  private static final LocalTimes UTC = new LocalTimes(ZoneOffset.UTC, Dst.REJECT);

  private static final List<Pattern> PATTERNS =
      DATES.stream()
          .flatMap(date -> TIMES.stream().map(time -> date + time))
          .map(format -> new Pattern(format, new PatternTime(format, UTC)))
          .toList();

  /** Trying all patterns on all words takes long: of these, one must fit. */
  private static final int FIRST = 3;

  private record Pattern(String format, TimeReader reader) {}

  private TimeGuess() {}

  /**
   * The one way that fits most words.
   *
   * @return a format of {@link CsvMapping.Time}
   * @throws InputException if there is none, or more than one
   */
  public static String format(String input, List<String> words) throws InputException {
    List<String> formats = formats(words);
    if (formats.size() == 1) {
      return formats.get(0);
    }
    if (formats.size() > 1) {
      throw new InputException(
          input
              + ": times such as '"
              + words.get(0)
              + "' can be read in more than one way; state which with --timestamp-format: "
              + formats);
    }
    return unit(input, words).toString();
  }

  /**
   * The ways that fit most words, and equally many: more than one if day and month cannot be told
   * apart.
   *
   * @return formats of {@link CsvMapping.Time}
   */
  public static List<String> formats(List<String> words) {
    if (isMost(fitting(new IsoTime(UTC), words), words)) {
      return List.of(CsvMapping.Time.ISO);
    }
    List<String> best = new ArrayList<>();
    List<String> first = words.subList(0, Math.min(FIRST, words.size()));
    long most = 0;
    if (first.stream().noneMatch(TimeGuess::beginsLikeTimes)) {
      return List.of();
    }
    for (Pattern pattern : PATTERNS) {
      long fitting = fitting(pattern.reader(), first) == 0 ? 0 : fitting(pattern.reader(), words);
      if (fitting > most) {
        most = fitting;
        best.clear();
      }
      if (fitting == most && most > 0) {
        best.add(pattern.format());
      }
    }
    return isMost(most, words) ? best : List.of();
  }

  /** Whether one of the patterns may fit: all begin with digits or a month of three letters. */
  private static boolean beginsLikeTimes(String word) {
    return !word.isEmpty() && (Character.isDigit(word.charAt(0)) || word.indexOf(' ') == 3);
  }

  /**
   * Whether most words are times of a format that is not one of numbers.
   *
   * @param format of {@link CsvMapping.Time}
   */
  public static boolean areTimes(List<String> words, String format) {
    TimeReader reader = new CsvMapping.Time(format, "UTC", Dst.REJECT).reader();
    return !(reader instanceof LineTime) && isMost(fitting(reader, words), words);
  }

  /** Whether words are numbers that {@link #unit} can be asked about. */
  public static boolean areNumbers(List<String> words) {
    return isMost(fitting(new LineTime(TimestampUnit.SECONDS), words), words)
        || isMost(fitting(new LineTime(TimestampUnit.NANOSECONDS), words), words);
  }

  private static TimestampUnit unit(String input, List<String> words) throws InputException {
    UnitGuess guess = new UnitGuess();
    words.forEach(guess::add);
    return guess.unit(input);
  }

  /** Whether so many of some words are enough to say what they are: some may be damaged. */
  static boolean isMost(long fitting, List<String> words) {
    return fitting > 0 && 3 * fitting >= 2L * words.size();
  }

  private static long fitting(TimeReader reader, List<String> words) {
    return words.stream().filter(word -> fits(reader, word)).count();
  }

  private static boolean fits(TimeReader reader, String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    long millis = bytes.length == 0 ? TimeReader.MALFORMED : reader.millis(bytes, 0, bytes.length);
    // Before 1970 is a time, if not one for the store.
    return millis >= 0 || millis == TimeReader.OUT_OF_RANGE;
  }
}
