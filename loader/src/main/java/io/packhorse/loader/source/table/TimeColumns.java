package io.packhorse.loader.source.table;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns that together hold the time of a row: one column, a date with a time of day
 * beside it, or year, month, day and so on in a column each. Used once.
 */
final class TimeColumns {
  private static final int NO_TIME = 20;
  private static final int SHORT_YEAR = 10;
  private static final int WORD_SHOWN = 24;

  private final TableSample sample;
  private final @Nullable Role[] roles;

  /**
   * @param roles stated for the columns; null where a role is to be guessed
   */
  TimeColumns(TableSample sample, @Nullable Role[] roles) {
    this.sample = sample;
    this.roles = roles;
  }

  /**
   * The columns, in their order.
   *
   * @param stated whether the user states them by their role
   * @param timeFormat of {@link TableMapping.Time}, if the user states it
   * @throws InputException if no column looks like a time
   */
  List<Integer> find(boolean stated, Optional<String> timeFormat) throws InputException {
    if (stated) {
      return columns().filter(column -> roles[column] == Role.TIME).boxed().toList();
    }
    List<Integer> parts = parts();
    if (!parts.isEmpty() && timeFormat.isEmpty() && !hasWholeTime()) {
      return parts;
    }
    if (timeFormat.isPresent()) {
      List<Integer> pair = pairOf(timeFormat.get());
      if (!pair.isEmpty()) {
        return pair;
      }
    }
    int time = single(timeFormat);
    return timeFormat.isPresent() ? List.of(time) : withTimeOfDay(time);
  }

  private IntStream columns() {
    return IntStream.range(0, roles.length);
  }

  private IntStream open() {
    return columns().filter(column -> roles[column] == null);
  }

  /** The words of some columns, row by row, joined by a blank; rows without one are left out. */
  static List<String> joined(TableSample sample, List<Integer> columns) {
    if (columns.size() == 1) {
      return sample.column(columns.get(0));
    }
    return sample.rows().stream()
        .filter(
            row ->
                columns.stream()
                    .map(row::get)
                    .noneMatch(word -> word.isEmpty() || sample.missing().contains(word)))
        .map(row -> String.join(" ", columns.stream().map(row::get).toList()))
        .toList();
  }

  /**
   * How the times are written.
   *
   * @throws InputException unless exactly one format fits
   */
  static String format(TableSample sample, List<Integer> times, Optional<String> timeFormat)
      throws InputException {
    if (timeFormat.isPresent()) {
      return timeFormat.get();
    }
    if (times.size() > 1) {
      Optional<String> parts = partsFormat(sample, times);
      if (parts.isPresent()) {
        return parts.get();
      }
    }
    List<String> words = joined(sample, times);
    if (words.isEmpty()) {
      throw new InputException(
          sample.input() + ": the time column " + sample.shown(times.get(0)) + " is empty");
    }
    List<String> formats =
        times.size() == 2
            ? joinedFormats(sample, times.get(0), times.get(1))
            : TimeGuess.formats(words);
    return TimeGuess.format(sample.input(), words, formats);
  }

  /** Formats of two columns joined: the formats of the first, each with a time of day. */
  private static List<String> joinedFormats(TableSample sample, int date, int timeOfDay) {
    List<String> words = joined(sample, List.of(date, timeOfDay));
    List<String> formats = TimeGuess.formats(words);
    return formats.isEmpty()
        ? TimeGuess.formatsWithHour(
            sample.column(date), words, ColumnNames.namesHours(sample.names().get(timeOfDay)))
        : formats;
  }

  /** Year, month and day in a column each, hour, minute and second perhaps; or none. */
  private List<Integer> parts() {
    List<Integer> found = new ArrayList<>();
    open()
        .filter(column -> ColumnNames.partOfTime(sample.names().get(column)).isPresent())
        .filter(this::areIntegers)
        .forEach(found::add);
    return partsFormat(sample, found).isPresent() ? found : List.of();
  }

  /** Whether some column has times with a time of day, by its name and its words. */
  private boolean hasWholeTime() {
    return open()
        .filter(column -> ColumnNames.namesTimes(sample.names().get(column)))
        .mapToObj(sample::column)
        .anyMatch(
            words ->
                TimeGuess.formats(words).stream()
                    .anyMatch(format -> !TimeGuess.isDateOnly(format, words)));
  }

  private boolean areIntegers(int column) {
    List<String> words = sample.column(column);
    boolean year = ColumnNames.partOfTime(sample.names().get(column)).equals(Optional.of("u"));
    String digits = year ? "\\d{4}" : "\\d{1,2}";
    return !words.isEmpty() && words.stream().allMatch(word -> word.matches(digits));
  }

  /** The pattern of such columns: all of year, month and day, none twice, and no gap below. */
  private static Optional<String> partsFormat(TableSample sample, List<Integer> columns) {
    List<String> letters =
        columns.stream()
            .map(column -> ColumnNames.partOfTime(sample.names().get(column)).orElse(""))
            .toList();
    String all = String.join("", letters.stream().sorted().toList());
    boolean whole = List.of("Mdu", "HMdu", "HMdmu", "HMdmsu").contains(all);
    return whole ? Optional.of(String.join(" ", letters)) : Optional.empty();
  }

  /** Two columns side by side whose joined words have a stated format, which neither has alone. */
  private List<Integer> pairOf(String format) {
    for (int column : open().toArray()) {
      if (TimeGuess.areTimes(sample.column(column), format)) {
        return List.of();
      }
    }
    for (int column : open().toArray()) {
      List<Integer> pair = List.of(column, column + 1);
      if (column + 1 < roles.length
          && roles[column + 1] == null
          && TimeGuess.areTimes(joined(sample, pair), format)) {
        return pair;
      }
    }
    return List.of();
  }

  /** A date with the column of its time of day; the column alone if it has none. */
  private List<Integer> withTimeOfDay(int time) {
    List<String> formats = TimeGuess.formats(sample.column(time));
    List<String> words = sample.column(time);
    if (formats.isEmpty()
        || !formats.stream().allMatch(each -> TimeGuess.isDateOnly(each, words))) {
      return List.of(time);
    }
    for (boolean named : new boolean[] {true, false}) {
      for (int column : open().toArray()) {
        if (column != time
            && (named
                ? ColumnNames.namesTimeOfDay(sample.names().get(column))
                : TimeGuess.areTimesOfDay(sample.column(column)))
            && isJoined(time, column)) {
          return time < column ? List.of(time, column) : List.of(column, time);
        }
      }
    }
    return List.of(time);
  }

  private boolean isJoined(int date, int timeOfDay) {
    return date < timeOfDay
        ? !joinedFormats(sample, date, timeOfDay).isEmpty()
        : !TimeGuess.formats(joined(sample, List.of(timeOfDay, date))).isEmpty();
  }

  private int single(Optional<String> timeFormat) throws InputException {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int column : open().toArray()) {
      int rank = rank(column, timeFormat);
      if (rank < bestRank) {
        best = column;
        bestRank = rank;
      }
    }
    if (bestRank >= NO_TIME) {
      throw new InputException(
          sample.input()
              + " has no column that looks like times; state which it is with --time-column, and"
              + " how they are written with --timestamp-format; its columns are "
              + sample.names()
              + firstWords());
    }
    return best;
  }

  /** The first words of each column, as far as there are any. */
  private String firstWords() {
    String words =
        IntStream.range(0, sample.names().size())
            .mapToObj(sample::column)
            .map(column -> column.isEmpty() ? "" : column.get(0))
            .map(word -> word.length() > WORD_SHOWN ? word.substring(0, WORD_SHOWN) + "..." : word)
            .collect(Collectors.joining(", "));
    return ", and begin with [" + words + "]";
  }

  /** The lower the more certain a column holds the time of a row; {@link #NO_TIME} if it cannot. */
  private int rank(int column, Optional<String> timeFormat) {
    String name = sample.names().get(column);
    int named = 2 - ColumnNames.timeRank(name);
    List<String> words = sample.column(column);
    if (timeFormat.isPresent() && TimeGuess.areTimes(words, timeFormat.get())) {
      return named;
    }
    boolean isNumber = TimeGuess.areNumbers(words);
    List<String> formats =
        sample.areNumbers(column) && named == 2 ? List.of() : TimeGuess.formats(words);
    boolean unit = formats.isEmpty() && isNumber && TimeGuess.unitOf(words).isPresent();
    if (!formats.isEmpty() || (unit && named < 2)) {
      boolean dateOnly = !unit && TimeGuess.isDateOnly(formats.get(0), words);
      // 07.03.44 may as well be a time of day.
      boolean shortYear = !unit && PatternTime.hasShortYear(formats.get(0));
      return 2 * named + (dateOnly ? 1 : 0) + (shortYear ? SHORT_YEAR : 0);
    }
    boolean first = isNumber && !sample.named() && column == 0;
    return first || (isNumber && ColumnNames.namesTimes(name)) ? NO_TIME - 1 : NO_TIME;
  }
}
