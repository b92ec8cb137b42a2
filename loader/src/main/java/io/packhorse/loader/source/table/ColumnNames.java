package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What the name of a column says about its role, and the name it is stored under. */
public final class ColumnNames {
  private static final Set<String> OTHER_TIME_NAMES =
      Set.of(
          "t", "at", "when", "measured", "observed", "recorded", "zeit", "heure", "fecha", "hora");

  private static final Set<String> TIME_NAMES =
      Set.of("time", "timestamp", "datetime", "date", "ts", "epoch", "_time", "date_time", "day");

  private static final Set<String> DATE_NAMES = Set.of("date", "day");

  /** Words in the names of columns that may hold times. */
  private static final Pattern TIME_WORD =
      Pattern.compile(
          "(?i).*(?<![a-z])(time|date|datetime|timestamp|zeit|datum|zeitstempel|fecha|heure|dato|tid)(?![a-z]).*|(?i)(date|time)[-_"
              + " /]?(time|stamp|utc)?");

  /** What tells devices and places apart, also if it is a number. */
  private static final Pattern ID_NAME =
      Pattern.compile(
          "(?i)id|.*[_ .-](id|uuid|guid)|.*[a-z](Id|ID)|zip([_ .-]?code)?|post(al)?[_"
              + " .-]?code|plz|imei|ean|sku|barcode|wmo"
              + "|(sensor|device|station|node|meter|machine|host|server|asset|turbine|engine|unit|channel"
              + "|location|site|building|house|room|zone|customer|vehicle|serial)([_"
              + " .-]?(no|nr|num|number|code|key))?");

  private static final Set<String> METRIC_NAMES =
      Set.of("metric", "metric_name", "measurement", "variable", "parameter", "series", "_field");

  private static final Set<String> TIME_OF_DAY_NAMES =
      Set.of(
          "time",
          "hour",
          "hr",
          "hh",
          "hhmm",
          "hh:mm",
          "hh:mm:ss",
          "tod",
          "timeofday",
          "time_of_day",
          "clock",
          "zeit",
          "uhrzeit",
          "heure",
          "hora",
          "stunde");

  /** Letters of a date pattern, by the name of the column that holds this part of the time. */
  private static final Map<String, String> PARTS =
      Map.ofEntries(
          Map.entry("year", "u"),
          Map.entry("yr", "u"),
          Map.entry("yyyy", "u"),
          Map.entry("month", "M"),
          Map.entry("mo", "M"),
          Map.entry("day", "d"),
          Map.entry("dd", "d"),
          Map.entry("dy", "d"),
          Map.entry("hour", "H"),
          Map.entry("hr", "H"),
          Map.entry("hh", "H"),
          Map.entry("minute", "m"),
          Map.entry("mi", "m"),
          Map.entry("mn", "m"),
          Map.entry("second", "s"),
          Map.entry("sec", "s"));

  private static final Set<String> HOUR_NAMES =
      Set.of("hour", "hr", "hh", "heure", "hora", "stunde");

  private ColumnNames() {}

  /** A column, stored under a name that OpenTSDB takes. */
  public static Column column(String name, Role role) {
    String stored = SeriesReader.replaced(name).replaceAll("_{2,}", "_").replaceAll("(?<=.)_$", "");
    boolean named = role == Role.TAG || role == Role.VALUE;
    return new Column(name, role, named && !stored.equals(name) ? stored : null);
  }

  /** Whether a column has no name of its own: rows that pandas has numbered are called so. */
  static boolean isNameless(String name) {
    return name.isEmpty() || name.matches("__index_level_\\d+__|Unnamed: \\d+");
  }

  /** Whether a column of this name should hold times. */
  public static boolean namesTimes(String name) {
    return TIME_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether a name has a word for times. */
  public static boolean hasTimeWord(String name) {
    return timeRank(name) > 0;
  }

  /** Whether a name may stand over a column of times; such a name alone proves nothing. */
  static boolean mayNameTimes(String name) {
    return hasTimeWord(name) || OTHER_TIME_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /** How much a name says that its column holds times: 2 is a name of times, 1 has such a word. */
  static int timeRank(String name) {
    boolean date = DATE_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
    boolean word = date || TIME_WORD.matcher(name.strip()).matches();
    return namesTimes(name) && !date ? 2 : word ? 1 : 0;
  }

  /** Whether a column of this name tells series apart, even if it holds numbers. */
  static boolean namesIds(String name) {
    return ID_NAME.matcher(name.strip()).matches();
  }

  /** Whether a column of this name holds the hour of a date. */
  static boolean namesHours(String name) {
    return HOUR_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether a column of this name may hold the time of day that belongs to a date. */
  static boolean namesTimeOfDay(String name) {
    return TIME_OF_DAY_NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /** The letter of a date pattern for a column that holds a part of the time: a year, a month. */
  static Optional<String> partOfTime(String name) {
    return Optional.ofNullable(PARTS.get(name.strip().toLowerCase(Locale.ROOT)));
  }

  /** Whether a column of this name should hold metrics. */
  public static boolean namesMetrics(String name) {
    return METRIC_NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
