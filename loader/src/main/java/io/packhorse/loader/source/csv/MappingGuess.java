package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.csv.CsvMapping.Column;
import io.packhorse.loader.source.csv.CsvMapping.Role;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Head;
import io.packhorse.loader.source.text.SeriesReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes a mapping of the first rows of a table. Used once. */
public final class MappingGuess {
  private static final int ROWS_MAX = 500;
  private static final char QUOTE = '"';
  private static final String DELIMITERS = ",;\t|";
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?|[-+]?(?i:nan|inf|infinity)");
  private static final Pattern COMMA_NUMBER = Pattern.compile("[-+]?\\d+,\\d+");
  private static final Pattern TIME_OF_DAY = Pattern.compile("\\d{1,2}:\\d{2}(:\\d{2}([.]\\d+)?)?");

  /** Words for no value that are no numbers either, as spreadsheets and programs write them. */
  private static final Set<String> MISSING =
      Set.of("NA", "N/A", "n/a", "null", "NULL", "None", "none", "-", "?", "NaT", "#N/A");

  private static final Set<String> TIME_NAMES =
      Set.of("time", "timestamp", "datetime", "date", "ts", "epoch", "_time", "date_time", "day");
  private static final Set<String> METRIC_NAMES =
      Set.of("metric", "metric_name", "measurement", "variable", "parameter", "series", "_field");

  private final Head head;
  private final char delimiter;
  private final List<List<String>> rows;
  private final boolean header;
  private final boolean commas;
  private final Set<String> missing = new LinkedHashSet<>();

  private MappingGuess(Head head) throws InputException {
    this.head = head;
    this.delimiter = delimiter();
    List<List<String>> all = rows(delimiter, ROWS_MAX);
    this.commas =
        delimiter != ',' && all.stream().flatMap(List::stream).anyMatch(MappingGuess::hasComma);
    this.header = all.size() < 2 || all.get(0).stream().noneMatch(this::isNumberOrTime);
    int width = all.isEmpty() ? 0 : all.get(0).size();
    this.rows =
        all.stream().filter(row -> row.size() == width && width > 1).limit(ROWS_MAX).toList();
    if (rows.isEmpty()) {
      throw new InputException(head.name() + " begins with no row of two fields or more");
    }
  }

  /**
   * The mapping that a table seems to want.
   *
   * @param timeFormat of {@link CsvMapping.Time}, if the user has stated it
   * @param zone of local times
   * @throws InputException if it cannot be told, with what to do about it
   */
  public static CsvMapping of(Head head, Optional<String> timeFormat, String zone, Dst dst)
      throws InputException {
    return new MappingGuess(head).mapping(timeFormat, zone, dst);
  }

  private CsvMapping mapping(Optional<String> timeFormat, String zone, Dst dst)
      throws InputException {
    int time = timeColumn(timeFormat);
    List<Integer> times = new ArrayList<>(List.of(time));
    List<String> words = column(time);
    int timeOfDay = time + 1 < names().size() ? time + 1 : 0;
    if (isTimeOfDay(column(timeOfDay)) && !isTimeOfDay(words)) {
      times.add(timeOfDay);
      words = joined(words, column(timeOfDay));
    }
    String format =
        timeFormat.isPresent() ? timeFormat.get() : TimeGuess.format(head.name(), words);
    List<Column> columns = columns(times);
    try {
      return new CsvMapping(
          String.valueOf(delimiter),
          String.valueOf(QUOTE),
          header,
          commas ? "," : ".",
          List.copyOf(missing),
          new CsvMapping.Time(format, zone, dst),
          columns);
    } catch (IllegalArgumentException e) {
      throw new InputException(head.name() + ": " + e.getMessage());
    }
  }

  private static List<String> joined(List<String> dates, List<String> times) {
    List<String> joined = new ArrayList<>();
    for (int i = 0; i < Math.min(dates.size(), times.size()); i++) {
      joined.add(dates.get(i) + " " + times.get(i));
    }
    return joined;
  }

  private List<Column> columns(List<Integer> times) {
    List<String> names = names();
    int metric = metricColumn(times);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      List<String> words = column(i);
      Role role;
      if (times.contains(i)) {
        role = Role.TIME;
      } else if (i == metric) {
        role = Role.METRIC;
      } else if (words.isEmpty() || names.get(i).isEmpty()) {
        role = Role.IGNORE;
      } else {
        role = areNumbers(i) ? Role.VALUE : Role.TAG;
      }
      columns.add(column(names.get(i), role));
    }
    return columns;
  }

  /** A column, stored under a name that OpenTSDB takes. */
  public static Column column(String name, Role role) {
    String stored = SeriesReader.replaced(name).replaceAll("_{2,}", "_").replaceAll("(?<=.)_$", "");
    boolean named = role == Role.TAG || role == Role.VALUE;
    return new Column(name, role, named && !stored.equals(name) ? stored : null);
  }

  /** Whether a column of this name should hold times. */
  public static boolean namesTimes(String name) {
    return TIME_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether a column of this name should hold metrics. */
  public static boolean namesMetrics(String name) {
    return METRIC_NAMES.contains(name.toLowerCase(Locale.ROOT));
  }

  /** The column of metrics beside a single one of values, or -1. */
  private int metricColumn(List<Integer> times) {
    List<String> names = names();
    int metric = -1;
    int values = 0;
    for (int i = 0; i < names.size(); i++) {
      if (times.contains(i)) {
        continue;
      }
      boolean numbers = areNumbers(i);
      values += numbers ? 1 : 0;
      if (!numbers && namesMetrics(names.get(i))) {
        metric = i;
      }
    }
    return values == 1 ? metric : -1;
  }

  private int timeColumn(Optional<String> timeFormat) throws InputException {
    List<String> names = names();
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int i = 0; i < names.size(); i++) {
      boolean named = namesTimes(names.get(i));
      List<String> words = column(i);
      boolean stated = timeFormat.isPresent() && TimeGuess.areTimes(words, timeFormat.get());
      boolean text = stated || (!areNumbers(i) && !TimeGuess.formats(words).isEmpty());
      boolean number = TimeGuess.areNumbers(words);
      int rank = named && (text || number) ? 0 : text ? 1 : number && !header && i == 0 ? 2 : 3;
      if (rank < Math.min(3, bestRank)) {
        best = i;
        bestRank = rank;
      }
    }
    if (best < 0) {
      throw new InputException(
          head.name()
              + " has no column that looks like times; say which it is in a mapping file, --mapping;"
              + " its columns are "
              + names);
    }
    return best;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(rows.get(0));
    for (int i = 0; i < names.size() && !header; i++) {
      names.set(i, "column" + (i + 1));
    }
    return names;
  }

  /** The words of a column that are there. */
  private List<String> column(int index) {
    return rows.stream()
        .skip(header ? 1 : 0)
        .map(row -> row.get(index))
        .filter(word -> !word.isEmpty() && !MISSING.contains(word))
        .toList();
  }

  /** Whether a column is one of values; words for none of them are noted. */
  private boolean areNumbers(int index) {
    List<String> words = column(index);
    if (!TimeGuess.isMost(words.stream().filter(this::isNumber).count(), words)) {
      return false;
    }
    rows.stream()
        .skip(header ? 1 : 0)
        .map(row -> row.get(index))
        .filter(MISSING::contains)
        .forEach(missing::add);
    return true;
  }

  private boolean isNumber(String word) {
    return NUMBER.matcher(word).matches() || (commas && COMMA_NUMBER.matcher(word).matches());
  }

  private boolean isNumberOrTime(String word) {
    return NUMBER.matcher(word).matches()
        || hasComma(word)
        || (!word.isEmpty() && !TimeGuess.formats(List.of(word)).isEmpty());
  }

  private static boolean hasComma(String word) {
    return COMMA_NUMBER.matcher(word).matches();
  }

  private static boolean isTimeOfDay(List<String> words) {
    return TimeGuess.isMost(
        words.stream().filter(word -> TIME_OF_DAY.matcher(word).matches()).count(), words);
  }

  /** The separator that makes the most fields, and as many of most rows. */
  private char delimiter() {
    char best = ',';
    int most = 1;
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char candidate = DELIMITERS.charAt(i);
      List<List<String>> sample = rows(candidate, 20);
      int width = sample.isEmpty() ? 0 : sample.get(0).size();
      long alike = sample.stream().filter(row -> row.size() == width).count();
      if (2 * alike > sample.size() && width > most) {
        best = candidate;
        most = width;
      }
    }
    return best;
  }

  /** The first rows, as text. */
  private List<List<String>> rows(char separator, int most) {
    Rows ends = new Rows(separator, QUOTE);
    RowParser parser = new RowParser(separator, QUOTE);
    RowFields fields = parser.row();
    List<List<String>> found = new ArrayList<>();
    int at = head.from();
    while (at < head.length() && found.size() < most) {
      int end = ends.end(head.bytes(), at, head.length(), head.whole());
      if (end < 0) {
        break;
      }
      int rowEnd = end;
      while (rowEnd > at && "\r\n".indexOf(head.bytes()[rowEnd - 1]) >= 0) {
        rowEnd--;
      }
      if (rowEnd > at && parser.read(head.bytes(), at, rowEnd)) {
        List<String> words = new ArrayList<>();
        for (int field = 0; field < fields.count(); field++) {
          words.add(fields.text(field));
        }
        found.add(words);
      }
      at = end;
    }
    return found;
  }
}
