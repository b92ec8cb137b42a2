package io.packhorse.loader.source.table;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Guesses the roles of a table's columns from their names and the words in the first rows, and
 * refuses a guess that the rows themselves cast doubt on. Used once.
 */
public final class RoleGuess {
  /** Fewer rows than this do not show whether a tag is new in each row. */
  private static final int CERTAIN_WORDS = 100;

  /** Rows that contradict each other: unclear from 2 rows and one in 20 on. */
  private static final int REPEATS_SHARE = 20;

  private static final int ROWS_SHOWN = 3;

  private final TableSample sample;
  private final ColumnOptions stated;
  private final @Nullable Role[] roles;
  private final Set<Integer> textColumns = new HashSet<>();
  private final Set<Integer> emptyColumns = new HashSet<>();
  private final Map<Integer, Column> statedColumns = new HashMap<>();
  private final Map<Integer, String> why = new HashMap<>();
  private final boolean storesBooleans;
  private String format = TableMapping.Time.ISO;

  private RoleGuess(TableSample sample, ColumnOptions stated, boolean storesBooleans) {
    this.sample = sample;
    this.stated = stated;
    this.storesBooleans = storesBooleans;
    this.roles = new Role[sample.names().size()];
  }

  /** What is not a matter of columns: how the text is written. */
  public record Text(
      String delimiter,
      String quote,
      boolean header,
      char decimal,
      @Nullable Character thousands,
      List<String> missing) {}

  /**
   * The mapping that a table seems to need.
   *
   * @param doubt about the table before its columns are looked at
   * @throws UnsureGuessException if the rows cast doubt on the best guess
   * @throws InputException if there is no guess; the message says what to do
   */
  public static TableGuess of(
      TableSample sample, Text text, TableOptions options, Optional<String> doubt)
      throws InputException {
    return new RoleGuess(sample, options.columns(), options.storesBooleans())
        .guess(text, options, doubt);
  }

  private TableGuess guess(Text text, TableOptions options, Optional<String> first)
      throws InputException {
    for (Column column : stated.columns()) {
      takeStated(column);
    }
    boolean timesStated = Arrays.asList(roles).contains(Role.TIME);
    List<Integer> times = new TimeColumns(sample, roles).find(timesStated, options.timeFormat());
    times.forEach(column -> roles[column] = Role.TIME);
    List<String> words = TimeColumns.joined(sample, times);
    format =
        areTyped(times)
            ? TableMapping.Time.ISO
            : TimeColumns.format(sample, times, options.timeFormat());
    TableMapping.Time time = new TableMapping.Time(format, options.zone(), options.dst());
    Optional<String> doubt = first;
    if (options.timeFormat().isEmpty()) {
      doubt = either(doubt, hourOf24(times));
    }
    if (!timesStated) {
      OtherTimes others = new OtherTimes(sample, roles, times, time);
      doubt =
          either(doubt, others.doubt())
              .or(() -> options.timeFormat().isEmpty() ? others.order() : Optional.empty())
              .or(() -> title(text, times));
      others.columns().forEach(column -> ignore(column, "another time"));
    }
    takeIds();
    int metric = metricColumn();
    for (int column = 0; column < roles.length; column++) {
      if (roles[column] == null) {
        doubt = either(doubt, takeRole(column, metric));
      } else if (roles[column] == Role.IGNORE) {
        why.putIfAbsent(column, "as stated");
      }
      why.computeIfAbsent(column, this::reason);
    }
    if (Arrays.stream(roles).noneMatch(role -> role == Role.VALUE)) {
      if (doubt.isPresent()) {
        throw new InputException(question(doubt.get()));
      }
      throw new InputException(
          sample.input()
              + " has no column of numbers; state one with --value, or the role value in a mapping"
              + " file; its columns are "
              + sample.shownWithTypes());
    }
    TableMapping mapping =
        new TableMapping(
            text.delimiter(),
            text.quote(),
            text.header(),
            String.valueOf(text.decimal()),
            text.missing(),
            time,
            columns(),
            stated.skipLines() == 0 ? null : stated.skipLines(),
            stated.comment().orElse(null),
            stated.widths().isEmpty() ? null : stated.widths(),
            text.thousands() == null ? null : text.thousands().toString(),
            storesBooleans ? true : null);
    doubt =
        either(doubt, unreadTime(words))
            .or(() -> metricOfSeveral(metric))
            .or(() -> repeats(times))
            .or(() -> newTagEachRow(times));
    if (doubt.isPresent()) {
      throw new UnsureGuessException(question(doubt.get()), mapping);
    }
    return new TableGuess(mapping, options.timeFormat().isEmpty(), textColumns, emptyColumns, why);
  }

  /** Whether the time is a column whose type says how its values are written. */
  private boolean areTyped(List<Integer> times) {
    return times.size() == 1 && sample.types().get(times.get(0)) == ColumnType.TIME;
  }

  /** A first line of a few words may be a title, unless it names a time. */
  private Optional<String> title(Text text, List<Integer> times) {
    boolean may =
        text.header()
            && text.delimiter().equals(" ")
            && stated.widths().isEmpty()
            && stated.header().isEmpty()
            && times.stream().noneMatch(i -> ColumnNames.mayNameTimes(sample.names().get(i)));
    return may
        ? Optional.of(
            "its header would be "
                + sample.names()
                + ", which may be a title: it does not say where the time is. --time-column "
                + sample.shown(times.get(0))
                + " takes it for the header, --skip-lines and --columns NAME,NAME,... say what is")
        : Optional.empty();
  }

  private static Optional<String> either(Optional<String> first, Optional<String> second) {
    return first.isPresent() ? first : second;
  }

  private void takeStated(Column taken) throws InputException {
    String name = taken.name();
    int column = sample.names().indexOf(name);
    if (column < 0 && name.matches("\\d{1,4}") && Integer.parseInt(name) <= roles.length) {
      column = Integer.parseInt(name) - 1;
    }
    if (column < 0) {
      throw new InputException(
          sample.input() + " has no column '" + name + "'; its columns are " + sample.names());
    }
    if (roles[column] != null && roles[column] != taken.role()) {
      throw new InputException(
          "The column '" + name + "' cannot be both " + roles[column] + " and " + taken.role());
    }
    // Columns of one name have one role.
    for (int i = column; i < roles.length; i++) {
      if (i == column || (!name.isEmpty() && sample.names().get(i).equals(name))) {
        roles[i] = taken.role();
        statedColumns.put(i, taken);
      }
    }
  }

  /** Gives a column its role; the doubt about it, if there is one. */
  private Optional<String> takeRole(int column, int metric) {
    List<String> words = sample.column(column);
    int numbers = sample.numbers(column);
    if (column == metric) {
      roles[column] = Role.METRIC;
    } else if (sample.types().get(column) == ColumnType.OTHER) {
      ignore(column, sample.typeNames().get(column) + " is not a type that is loaded");
    } else if (ColumnNames.isNameless(sample.names().get(column))) {
      ignore(column, "no name");
      if (words.isEmpty()) {
        emptyColumns.add(column);
      }
    } else if (sample.types().get(column) == ColumnType.TIME) {
      ignore(column, "another time");
    } else if (words.isEmpty()) {
      takeEmpty(column, metric);
    } else if (sample.areTruths(column)) {
      roles[column] = storesBooleans ? Role.VALUE : Role.TAG;
      why.put(column, "says true or false");
      return storesBooleans
          ? Optional.empty()
          : Optional.of(ColumnDoubts.ofTruths(sample.shown(column), words));
    } else if (TimeGuess.isMost(numbers, words)) {
      roles[column] = Role.VALUE;
      return ColumnDoubts.ofNumbers(sample.shown(column), sample.names().get(column), words);
    } else if (!TimeGuess.formats(words).isEmpty()) {
      ignore(column, "another time");
    } else {
      roles[column] = Role.TAG;
      if (numbers > 0) {
        return Optional.of(
            "the column '"
                + sample.shown(column)
                + "' mixes numbers and text ("
                + numbers
                + (numbers == 1 ? " number" : " numbers")
                + " among its first "
                + words.size()
                + " words): it may hold values or tags");
      }
      textColumns.add(column);
      if (sample.types().get(column) == ColumnType.TEXT
          && TimeGuess.isMost(words.stream().filter(sample.isNumber()).count(), words)) {
        return Optional.of(
            "the column '"
                + sample.shown(column)
                + "' is text and holds numbers, such as '"
                + words.get(0)
                + "': --value reads them, --tag keeps them as tags");
      }
      return either(
          ColumnDoubts.ofMissing(sample.shown(column), words, sample.missing(column)),
          ColumnDoubts.ofText(sample.shown(column), sample.names().get(column), words));
    }
    return Optional.empty();
  }

  /** Columns of whole numbers whose name says that they tell series apart. */
  private void takeIds() {
    for (int column = 0; column < roles.length; column++) {
      List<String> words = sample.column(column);
      if (roles[column] == null
          && ColumnNames.namesIds(sample.names().get(column))
          && !words.isEmpty()
          && TimeGuess.isMost(words.stream().filter(word -> word.matches("\\d+")).count(), words)) {
        roles[column] = Role.TAG;
        why.put(column, "a number that tells series apart, by its name");
      }
    }
  }

  /** An hour 24 in a column of its own: it may be the beginning or the end of its day. */
  private Optional<String> hourOf24(List<Integer> times) {
    for (int column : times) {
      if (times.size() > 1
          && sample.column(column).contains("24")
          && ColumnNames.namesHours(sample.names().get(column))) {
        return Optional.of(
            "the column '"
                + sample.shown(column)
                + "' has hours up to 24, which may be the midnight after their day,"
                + " --timestamp-format '"
                + format
                + "', or the one before it, '"
                + format.replace('H', 'k')
                + "'");
      }
    }
    return Optional.empty();
  }

  /**
   * A column without words so far: its later values are loaded if they are numbers, and rejects if
   * not. A long table has one column of values, so there anything in it later is a reject.
   */
  private void takeEmpty(int column, int metric) {
    if (sample.types().get(column) == ColumnType.TEXT) {
      roles[column] = Role.TAG;
      why.put(column, "text by its type");
    } else if (sample.types().get(column) == ColumnType.BOOLEAN && !storesBooleans) {
      ignore(column, "empty so far");
      emptyColumns.add(column);
    } else if (metric < 0 || valueColumns().isEmpty()) {
      roles[column] = Role.VALUE;
    } else {
      ignore(column, "empty so far");
      emptyColumns.add(column);
    }
  }

  private void ignore(int column, String reason) {
    roles[column] = Role.IGNORE;
    why.put(column, reason);
  }

  /** Why a column that is loaded has its role. */
  private String reason(int column) {
    if (statedColumns.containsKey(column)) {
      return "stated";
    }
    return switch (role(column)) {
      case TIME -> "holds times";
      case METRIC -> "holds names of metrics";
      case VALUE -> sample.column(column).isEmpty() ? "empty so far" : "holds numbers";
      case TAG -> "holds text";
      case IGNORE -> "left out";
    };
  }

  /** The column of metrics beside a single one of values, or -1. */
  private int metricColumn() {
    List<Integer> values = valueColumns();
    if (values.isEmpty()) {
      values = open().filter(column -> sample.column(column).isEmpty()).boxed().toList();
    }
    if (values.size() != 1) {
      return -1;
    }
    int value = values.get(0);
    return open()
        .filter(column -> column != value)
        .filter(column -> ColumnNames.namesMetrics(sample.names().get(column)))
        .findFirst()
        .orElse(-1);
  }

  /** Columns without a role. */
  private IntStream open() {
    return IntStream.range(0, roles.length).filter(column -> roles[column] == null);
  }

  private boolean holdsValues(int column) {
    return sample.areNumbers(column) || (storesBooleans && sample.areTruths(column));
  }

  /** Columns of numbers, and those that are stated to be values. */
  private List<Integer> valueColumns() {
    return IntStream.range(0, roles.length)
        .filter(
            column -> roles[column] == Role.VALUE || (roles[column] == null && holdsValues(column)))
        .boxed()
        .toList();
  }

  /**
   * A column of metrics beside several columns of numbers, one of which is named as their value.
   */
  private Optional<String> metricOfSeveral(int metric) {
    List<Integer> values =
        Arrays.stream(TableMapping.indexes(columns(), Role.VALUE)).boxed().toList();
    for (int column = 0; metric < 0 && column < roles.length; column++) {
      if (roles[column] == Role.TAG
          && !statedColumns.containsKey(column)
          && ColumnNames.namesMetrics(sample.names().get(column))
          && values.stream().anyMatch(i -> sample.names().get(i).matches("(?i)_?val(ue)?"))) {
        return Optional.of(
            "the column '"
                + sample.shown(column)
                + "' seems to name the metric of each row, but more than one column may hold its"
                + " value; --ignore or --tag says what the others are, or --tag "
                + sample.shown(column)
                + " that it is a tag");
      }
    }
    return Optional.empty();
  }

  private Role role(int column) {
    return Objects.requireNonNull(roles[column]);
  }

  private List<Column> columns() {
    return IntStream.range(0, roles.length)
        .mapToObj(
            column -> {
              Column taken = statedColumns.get(column);
              String name = sample.names().get(column);
              return taken == null || taken.as() == null
                  ? ColumnNames.column(name, role(column))
                  : new Column(name, taken.role(), taken.as());
            })
        .toList();
  }

  /** A column that should be a time by its name, but cannot be read as one. */
  private Optional<String> unreadTime(List<String> times) {
    boolean dateOnly = TimeGuess.isDateOnly(format, times);
    for (int column = 0; column < roles.length; column++) {
      String name = sample.names().get(column);
      List<String> words = sample.column(column);
      boolean open = roles[column] == Role.TAG || (roles[column] == Role.VALUE && dateOnly);
      boolean named =
          dateOnly
              ? ColumnNames.namesTimes(name) || ColumnNames.namesTimeOfDay(name)
              : ColumnNames.namesTimes(name) && !ColumnNames.partOfTime(name).isPresent();
      if (open && named && !statedColumns.containsKey(column) && !words.isEmpty()) {
        return Optional.of(
            "the column '"
                + name
                + "' holds times by its name, but they cannot be read: '"
                + words.get(0)
                + "'");
      }
    }
    return Optional.empty();
  }

  /**
   * Rows of one series and one time that differ otherwise: of their points only the last would be
   * stored. The time may be read too coarsely, or a column that tells series apart be taken for a
   * value.
   */
  private Optional<String> repeats(List<Integer> times) {
    int repeats = countRepeats(times, -1);
    int rows = sample.rows().size();
    if (repeats < 2 || (long) repeats * REPEATS_SHARE < rows) {
      return Optional.empty();
    }
    StringBuilder doubt = new StringBuilder();
    doubt
        .append(repeats)
        .append(" of the first ")
        .append(rows)
        .append(
            " rows have the time and the tags of another row, and would replace its values with"
                + " other ones");
    for (int column = 0; column < roles.length; column++) {
      if (roles[column] == Role.VALUE
          && 10L * countRepeats(times, column) < repeats
          && isSmallInteger(column)) {
        return Optional.of(
            doubt + "; '" + sample.shown(column) + "' may be what tells them apart: --tag");
      }
    }
    return Optional.of(doubt.toString());
  }

  /** Rows with the time and the tags of an earlier row, but other values. */
  private int countRepeats(List<Integer> times, int tagToo) {
    Map<List<String>, List<String>> seen = new HashMap<>();
    int repeats = 0;
    for (List<String> row : sample.rows()) {
      List<String> key = new ArrayList<>();
      times.forEach(column -> key.add(row.get(column)));
      List<String> values = new ArrayList<>();
      for (int column = 0; column < roles.length; column++) {
        if (roles[column] == Role.TAG || roles[column] == Role.METRIC || column == tagToo) {
          key.add(row.get(column));
        } else if (roles[column] == Role.VALUE) {
          values.add(row.get(column));
        }
      }
      List<String> earlier = seen.putIfAbsent(key, values);
      repeats += earlier != null && !earlier.equals(values) ? 1 : 0;
    }
    return repeats;
  }

  private boolean isSmallInteger(int column) {
    return sample.column(column).stream().allMatch(word -> word.matches("\\d{1,9}"));
  }

  /** A tag that is new in each row, each at a time of its own: every point would be a series. */
  private Optional<String> newTagEachRow(List<Integer> times) {
    int rows = sample.rows().size();
    if (rows < CERTAIN_WORDS || !isMostlyNew(TimeColumns.joined(sample, times), rows)) {
      return Optional.empty();
    }
    for (int column = 0; column < roles.length; column++) {
      if (roles[column] == Role.TAG
          && !statedColumns.containsKey(column)
          && isMostlyNew(sample.column(column), rows)) {
        return Optional.of(
            "the column '"
                + sample.shown(column)
                + "' would be a tag with a new value in nearly each of the first "
                + rows
                + " rows, which makes each row a series of its own");
      }
    }
    return Optional.empty();
  }

  private static boolean isMostlyNew(List<String> words, int rows) {
    return 10L * new HashSet<>(words).size() > 9L * rows;
  }

  /** What is unclear, the first rows as they would be read, and what settles it. */
  private String question(String doubt) {
    StringBuilder text = new StringBuilder(sample.input()).append(": ").append(doubt);
    text.append(".\nAs it would be read:\n");
    for (List<String> row : sample.rows().subList(0, Math.min(ROWS_SHOWN, sample.rows().size()))) {
      text.append("  ").append(shown(row)).append('\n');
    }
    return text.append(
            "State what the columns are: --time-column, --tag, --value or --ignore NAME, or"
                + " --mapping FILE (--save-mapping writes this guess as a template)")
        .toString();
  }

  private String shown(List<String> row) {
    Map<Role, Set<String>> byRole = new TreeMap<>();
    for (int column = 0; column < roles.length; column++) {
      byRole
          .computeIfAbsent(role(column), role -> new TreeSet<>())
          .add(sample.shown(column) + "=" + row.get(column));
    }
    byRole.remove(Role.IGNORE);
    return byRole.entrySet().stream()
        .map(each -> each.getKey() + " " + String.join(", ", each.getValue()))
        .collect(Collectors.joining("; "));
  }
}
