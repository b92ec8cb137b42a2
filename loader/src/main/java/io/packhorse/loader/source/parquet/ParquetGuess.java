package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.ColumnNames;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TimeGuess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a mapping of a file's columns, by their types and names. Used once. */
public final class ParquetGuess {
  /** What pandas calls the columns of an index without a name. */
  private static final String PANDAS_INDEX = "__index_level_";

  private final ParquetFile file;
  private final Map<String, Column> stated = new HashMap<>();

  private ParquetGuess(ParquetFile file, List<Column> stated) throws InputException {
    this.file = file;
    for (Column column : stated) {
      String name = name(column.name());
      Column other = this.stated.put(name, new Column(name, column.role(), column.as()));
      if (other != null && other.role() != column.role()) {
        throw new InputException(
            "The column '" + name + "' cannot be both " + other.role() + " and " + column.role());
      }
    }
  }

  /** The name of a column that is stated by its name or by its number from 1. */
  private String name(String word) throws InputException {
    if (file.column(word).isPresent()) {
      return word;
    }
    int number = word.matches("\\d{1,4}") ? Integer.parseInt(word) : 0;
    if (number < 1 || number > file.columns().size()) {
      throw new InputException(
          file.name() + " has no column '" + word + "'; its columns are " + file.columns());
    }
    return file.columns().get(number - 1).name();
  }

  /**
   * The mapping that a file seems to want.
   *
   * @param timeFormat of {@link TableMapping.Time}, if the user has stated it
   * @param zone of local times
   * @param stated roles of columns, by name or by number from 1, that are not guessed
   * @throws InputException if that cannot be decided; the message says what to do
   * @throws DamagedInputException if the file is damaged where it was inspected
   */
  public static TableGuess of(
      ParquetFile file, Optional<String> timeFormat, String zone, Dst dst, List<Column> stated)
      throws IOException {
    return new ParquetGuess(file, stated).guess(timeFormat, zone, dst);
  }

  private TableGuess guess(Optional<String> timeFormat, String zone, Dst dst) throws IOException {
    ParquetColumn time = time(timeFormat);
    String format;
    if (time.isTimestamp()) {
      format = time.timeFormat();
    } else {
      format =
          timeFormat.isPresent()
              ? timeFormat.get()
              : TimeGuess.format(file.name(), file.sample(time));
    }
    List<Column> columns = new ArrayList<>();
    Optional<ParquetColumn> metric = metric(time);
    for (ParquetColumn column : file.columns()) {
      boolean isMetric = metric.isPresent() && metric.get() == column;
      Column taken = stated.get(column.name());
      columns.add(
          taken != null && taken.as() != null
              ? taken
              : ColumnNames.column(
                  column.name(),
                  column == time ? Role.TIME : isMetric ? Role.METRIC : role(column)));
    }
    if (columns.stream().noneMatch(column -> column.role() == Role.VALUE)) {
      throw new InputException(
          file.name()
              + " has no column of numbers; state one with --value, or the role value in a mapping"
              + " file; its columns are "
              + file.columns());
    }
    try {
      return new TableGuess(
          new TableMapping(
              ",", "\"", true, ".", List.of(), new TableMapping.Time(format, zone, dst), columns),
          true,
          Set.of(),
          Set.of(),
          reasons(columns));
    } catch (IllegalArgumentException e) {
      throw new InputException(file.name() + ": " + e.getMessage());
    }
  }

  /** Why each column has its role, by number. */
  private Map<Integer, String> reasons(List<Column> columns) {
    Map<Integer, String> why = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      boolean ignored = columns.get(i).role() == Role.IGNORE;
      String name = columns.get(i).name();
      if (stated.containsKey(name)) {
        why.put(i, ignored ? "as stated" : "stated");
      } else if (ignored) {
        why.put(i, whyIgnored(file.columns().get(i)));
      } else {
        why.put(i, "by its type");
      }
    }
    return why;
  }

  private static String whyIgnored(ParquetColumn column) {
    if (column.name().startsWith(PANDAS_INDEX)) {
      return "no name";
    }
    return column.isTimestamp() ? "another time" : "not of a type that is loaded";
  }

  private Role role(ParquetColumn column) {
    Column taken = stated.get(column.name());
    return taken == null ? guessedRole(column) : taken.role();
  }

  private static Role guessedRole(ParquetColumn column) {
    if (column.name().startsWith(PANDAS_INDEX)) {
      return Role.IGNORE;
    }
    if (column.isNumber()) {
      return Role.VALUE;
    }
    return column.isTag() ? Role.TAG : Role.IGNORE;
  }

  /** The column that names the metric, if there is just one column of values. */
  private Optional<ParquetColumn> metric(ParquetColumn time) {
    Optional<ParquetColumn> said =
        file.columns().stream().filter(column -> role(column) == Role.METRIC).findFirst();
    long values =
        file.columns().stream()
            .filter(column -> column != time && role(column) == Role.VALUE)
            .count();
    return said.isPresent() || values != 1
        ? said
        : file.columns().stream()
            .filter(
                column ->
                    column != time
                        && isOpen(column)
                        && column.isText()
                        && ColumnNames.namesMetrics(column.name()))
            .findFirst();
  }

  private boolean isOpen(ParquetColumn column) {
    return !stated.containsKey(column.name());
  }

  /**
   * The one that is stated, else by name, else the first whose type says it, else the first whose
   * words look like times.
   */
  private ParquetColumn time(Optional<String> timeFormat) throws IOException {
    for (ParquetColumn column : file.columns()) {
      Column taken = stated.get(column.name());
      if (taken != null && taken.role() == Role.TIME) {
        return column;
      }
    }
    List<ParquetColumn> open = file.columns().stream().filter(this::isOpen).toList();
    for (ParquetColumn column : open) {
      if (ColumnNames.namesTimes(column.name()) && holdsTimes(file, column, timeFormat)) {
        return column;
      }
    }
    for (ParquetColumn column : open) {
      if (column.isTimestamp()) {
        return column;
      }
    }
    for (ParquetColumn column : open) {
      if (column.isText() && holdsTimes(file, column, timeFormat)) {
        return column;
      }
    }
    throw new InputException(
        file.name()
            + " has no column that looks like times; say which it is with --time-column or in a"
            + " mapping file, --mapping; its columns are "
            + file.columns());
  }

  private static boolean holdsTimes(
      ParquetFile file, ParquetColumn column, Optional<String> timeFormat) throws IOException {
    if (column.isTimestamp()) {
      return true;
    }
    if (!column.isNumber() && !column.isText()) {
      return false;
    }
    List<String> words = file.sample(column);
    boolean stated = timeFormat.isPresent() && TimeGuess.areTimes(words, timeFormat.get());
    return stated
        || TimeGuess.areNumbers(words)
        || (column.isText() && !TimeGuess.formats(words).isEmpty());
  }
}
