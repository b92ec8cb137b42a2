package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.ColumnNames;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TimeGuess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes a mapping of a file's columns, by their types and names. */
public final class ParquetGuess {
  /** What pandas calls the columns of an index without a name. */
  private static final String PANDAS_INDEX = "__index_level_";

  private ParquetGuess() {}

  /**
   * The mapping that a file seems to want.
   *
   * @param timeFormat of {@link TableMapping.Time}, if the user has stated it
   * @param zone of local times
   * @throws InputException if that cannot be decided; the message says what to do
   * @throws DamagedInputException if the file is damaged where it was inspected
   */
  public static TableMapping of(ParquetFile file, Optional<String> timeFormat, String zone, Dst dst)
      throws IOException {
    ParquetColumn time = time(file, timeFormat);
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
    Optional<ParquetColumn> metric = metric(file.columns(), time);
    for (ParquetColumn column : file.columns()) {
      boolean isMetric = metric.isPresent() && metric.get() == column;
      columns.add(
          ColumnNames.column(
              column.name(), column == time ? Role.TIME : isMetric ? Role.METRIC : role(column)));
    }
    try {
      return new TableMapping(
          ",", "\"", true, ".", List.of(), new TableMapping.Time(format, zone, dst), columns);
    } catch (IllegalArgumentException e) {
      throw new InputException(file.name() + ": " + e.getMessage());
    }
  }

  private static Role role(ParquetColumn column) {
    if (column.name().startsWith(PANDAS_INDEX)) {
      return Role.IGNORE;
    }
    if (column.isNumber()) {
      return Role.VALUE;
    }
    return column.isTag() ? Role.TAG : Role.IGNORE;
  }

  /** The column that names the metric, if there is just one column of values. */
  private static Optional<ParquetColumn> metric(List<ParquetColumn> columns, ParquetColumn time) {
    long values =
        columns.stream().filter(column -> column != time && role(column) == Role.VALUE).count();
    return values != 1
        ? Optional.empty()
        : columns.stream()
            .filter(
                column ->
                    column != time && column.isText() && ColumnNames.namesMetrics(column.name()))
            .findFirst();
  }

  /** By name, else the first whose type says it, else the first whose words look like times. */
  private static ParquetColumn time(ParquetFile file, Optional<String> timeFormat)
      throws IOException {
    for (ParquetColumn column : file.columns()) {
      if (ColumnNames.namesTimes(column.name()) && holdsTimes(file, column, timeFormat)) {
        return column;
      }
    }
    for (ParquetColumn column : file.columns()) {
      if (column.isTimestamp()) {
        return column;
      }
    }
    for (ParquetColumn column : file.columns()) {
      if (column.isText() && holdsTimes(file, column, timeFormat)) {
        return column;
      }
    }
    throw new InputException(
        file.name()
            + " has no column that looks like times; say which it is in a mapping file, --mapping;"
            + " its columns are "
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
