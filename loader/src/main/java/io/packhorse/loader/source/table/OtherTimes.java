package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Columns that hold times, too, beside those that a table's time is taken from: whether the choice
 * is certain. Used once.
 */
final class OtherTimes {
  private static final int ROWS_COMPARED = 200;

  private static final long DAY_MS = Duration.ofDays(1).toMillis();
  private static final Pattern LONG_NUMBER = Pattern.compile("\\d{9,}([.]\\d+)?");

  /** A number that counts the seconds to a time this near to its row's is no measured value. */
  private static final long NEAR_MS = Duration.ofDays(366).toMillis();

  private final TableSample sample;
  private final @Nullable Role[] roles;
  private final List<Integer> times;
  private final TableMapping.Time time;
  private final List<Long> millis;
  private final Set<Integer> found = new HashSet<>();

  /**
   * @param roles stated for the columns, and those of the time; null where a role is to be guessed
   * @param times columns of the time
   * @param time how it is written
   */
  OtherTimes(
      TableSample sample, @Nullable Role[] roles, List<Integer> times, TableMapping.Time time) {
    this.sample = sample;
    this.roles = roles;
    this.times = times;
    this.time = time;
    this.millis = millis(times, time);
  }

  /** Columns that hold times, known after {@link #doubt}. */
  Set<Integer> columns() {
    return found;
  }

  /** Whether another column may be the time of a row. */
  Optional<String> doubt() {
    int rank = rank();
    boolean hasTimeOfDay =
        IntStream.range(0, roles.length)
            .filter(i -> roles[i] == null)
            .anyMatch(
                i ->
                    ColumnNames.namesTimeOfDay(sample.names().get(i))
                        || TimeGuess.areTimesOfDay(sample.column(i)));
    boolean dateOnly = TimeGuess.isDateOnly(time.format(), TimeColumns.joined(sample, times));
    Optional<String> doubt = dateInParts(rank == 2 && !dateOnly);
    for (int column : IntStream.range(0, roles.length).filter(i -> roles[i] == null).toArray()) {
      List<String> words = sample.column(column);
      if (words.isEmpty()) {
        continue;
      }
      Optional<TableMapping.Time> near = Optional.empty();
      List<String> formats = formats(column, words);
      if (formats.isEmpty()) {
        near = near(column, words);
        boolean timeOfDay = !dateOnly && TimeGuess.areTimesOfDay(words);
        if (timeOfDay) {
          found.add(column);
          doubt =
              doubt.isEmpty() && isBetterTimeOfDay(column) ? Optional.of(either(column)) : doubt;
        }
        if (near.isEmpty()) {
          boolean like = rank == 0 && times.size() == 1 && mayBeTimes(column, words);
          doubt = like && doubt.isEmpty() ? Optional.of(either(column)) : doubt;
          continue;
        }
      }
      found.add(column);
      int otherRank = ColumnNames.timeRank(sample.names().get(column));
      boolean otherDateOnly =
          !formats.isEmpty() && !hasTimeOfDay && TimeGuess.isDateOnly(formats.get(0), words);
      boolean mayBeDay =
          otherDateOnly
              && !dateOnly
              && rank > 0
              && (otherRank > 0 || !ColumnNames.mayNameTimes(sample.names().get(column)));
      boolean open =
          near.isPresent()
              || rank < 2
              || (dateOnly && !otherDateOnly)
              || (times.size() == 2 && otherRank >= nameRank())
              || (dateOnly == otherDateOnly && otherRank >= rank);
      if (open && doubt.isEmpty() && !isSame(column, formats, near, mayBeDay)) {
        doubt = Optional.of(either(column));
      }
    }
    return doubt;
  }

  /** A date and a time of day that may as well be a time of day and a date, as 08.01.13 may. */
  Optional<String> order() {
    if (times.size() != 2
        || !times.stream().allMatch(i -> TimeGuess.areTimesOfDay(sample.column(i)))
        || !PatternTime.hasShortYear(time.format())) {
      return Optional.empty();
    }
    String first = sample.names().get(times.get(0));
    String second = sample.names().get(times.get(1));
    boolean dateFirst = time.format().indexOf('u') < time.format().indexOf(' ');
    String date = dateFirst ? first : second;
    String timeOfDay = dateFirst ? second : first;
    return ColumnNames.timeRank(date) > 0
            && !ColumnNames.namesTimeOfDay(date)
            && ColumnNames.namesTimeOfDay(timeOfDay)
        ? Optional.empty()
        : Optional.of(
            "the columns '"
                + first
                + "' and '"
                + second
                + "' may be a date and a time of day in either order: --time-column for each and"
                + " --timestamp-format state it");
  }

  /** Whether a column is named as the time of day, and none of those that are taken for it is. */
  private boolean isBetterTimeOfDay(int column) {
    return times.size() == 2
        && ColumnNames.namesTimeOfDay(sample.names().get(column))
        && times.stream().noneMatch(i -> ColumnNames.namesTimeOfDay(sample.names().get(i)));
  }

  /** How much the names of the time's columns say that they are the time of a row: 0 to 2. */
  private int rank() {
    // With a time of day, a column that is named as a date is the date of that.
    return times.size() > 2 || (times.size() == 2 && nameRank() > 0) ? 2 : nameRank();
  }

  /** The most that one of their names says, but for a time of day. */
  private int nameRank() {
    return times.stream()
        .filter(i -> times.size() != 2 || !ColumnNames.namesTimeOfDay(sample.names().get(i)))
        .mapToInt(i -> ColumnNames.timeRank(sample.names().get(i)))
        .max()
        .orElse(0);
  }

  /**
   * Columns of year, month and day beside a time of its own: they repeat it if that is certain.
   *
   * @param certain whether the column of the time says by its name that it is one
   */
  private Optional<String> dateInParts(boolean certain) {
    Map<String, Integer> parts = new TreeMap<>();
    for (int column = 0; column < roles.length; column++) {
      if (roles[column] == null && sample.areNumbers(column)) {
        int place = column;
        ColumnNames.partOfTime(sample.names().get(column))
            .ifPresent(letter -> parts.putIfAbsent(letter, place));
      }
    }
    if (!parts.keySet().containsAll(List.of("u", "M", "d"))) {
      return Optional.empty();
    }
    found.addAll(parts.values());
    return certain && agrees(parts.get("M"), 5, 7) && agrees(parts.get("d"), 8, 10)
        ? Optional.empty()
        : Optional.of(either(Objects.requireNonNull(parts.get("u"))));
  }

  /**
   * Whether a column says in each row what its local time does.
   *
   * @param from of the digits in an ISO date
   */
  private boolean agrees(@Nullable Integer column, int from, int to) {
    ZoneId zone = ZoneId.of(time.zone());
    return IntStream.range(0, millis.size())
        .filter(i -> millis.get(i) > 0)
        .allMatch(
            i -> {
              String word = sample.rows().get(i).get(Objects.requireNonNull(column));
              String date = Instant.ofEpochMilli(millis.get(i)).atZone(zone).toString();
              return word.isEmpty()
                  || date.substring(from, to)
                      .replaceFirst("^0", "")
                      .equals(word.replaceFirst("^0", ""));
            });
  }

  private String either(int other) {
    return "the time of a row may be in '"
        + sample.shown(times.get(0))
        + "' or in '"
        + sample.shown(other)
        + "': --time-column states which, and --ignore or --value what the other is";
  }

  /** How times in text are written, or in a column of numbers that is named so. */
  private List<String> formats(int column, List<String> words) {
    return sample.areNumbers(column) && ColumnNames.timeRank(sample.names().get(column)) == 0
        ? List.of()
        : TimeGuess.formats(words);
  }

  private boolean countsTime(int column, List<String> words) {
    List<String> counts =
        words.stream().filter(word -> LONG_NUMBER.matcher(word).matches()).toList();
    return sample.areNumbers(column)
        && TimeGuess.isMost(counts.size(), words)
        && TimeGuess.unitOf(counts).isPresent();
  }

  /** Whether numbers may be times that no name calls so. */
  private boolean mayBeTimes(int column, List<String> words) {
    return countsTime(column, words)
        || (sample.areNumbers(column) && !TimeGuess.formats(words).isEmpty());
  }

  /** How numbers are times, each near the time of its row; empty if they are not. */
  private Optional<TableMapping.Time> near(int column, List<String> words) {
    if (!mayBeTimes(column, words)) {
      return Optional.empty();
    }
    return Stream.concat(
            TimeGuess.unitOf(words.stream().filter(sample.isNumber()).toList()).stream()
                .map(TimestampUnit::toString),
            TimeGuess.formats(words).stream())
        .map(format -> new TableMapping.Time(format, time.zone(), time.dst()))
        .filter(written -> isNear(millis(List.of(column), written)))
        .findFirst();
  }

  private boolean isNear(List<Long> others) {
    return IntStream.range(0, millis.size())
        .filter(i -> others.get(i) > 0 && millis.get(i) > 0)
        .allMatch(i -> Math.abs(others.get(i) - millis.get(i)) < NEAR_MS);
  }

  /**
   * Whether both columns say the same time in each row.
   *
   * @param near how the other is written if it is a number
   * @param day whether the other says the day only
   */
  private boolean isSame(
      int column, List<String> formats, Optional<TableMapping.Time> near, boolean day) {
    if (formats.size() > 1) {
      return false;
    }
    List<Long> others =
        millis(
            List.of(column),
            near.orElseGet(() -> new TableMapping.Time(formats.get(0), time.zone(), time.dst())));
    long most = day ? DAY_MS : 0;
    return IntStream.range(0, millis.size())
        .mapToLong(i -> millis.get(i) - others.get(i))
        .allMatch(later -> later >= 0 && later <= most);
  }

  /** The time of each of the first rows, in ms since 1970; negative if it cannot be read. */
  private List<Long> millis(List<Integer> columns, TableMapping.Time written) {
    TimeReader reader = written.reader();
    List<Long> read = new ArrayList<>();
    for (List<String> row :
        sample.rows().subList(0, Math.min(ROWS_COMPARED, sample.rows().size()))) {
      byte[] word =
          String.join(" ", columns.stream().map(row::get).toList())
              .getBytes(StandardCharsets.UTF_8);
      read.add(word.length == 0 ? TimeReader.MALFORMED : reader.millis(word, 0, word.length));
    }
    return read;
  }
}
