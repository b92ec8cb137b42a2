package io.packhorse.loader.source.table;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.TimestampUnit;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the columns of a table become points; as it stands, the content of a mapping file. A table
 * with a column of metrics is long, a point a row; one without is wide, a point for each column of
 * values.
 *
 * @param delimiter one ASCII character; a blank stands for runs of blanks
 * @param quote one ASCII character
 * @param header whether the first row names the columns
 * @param decimal {@code .} or {@code ,}
 * @param missing words that stand where there is no value, beside nothing at all
 * @param columns by name, in any order and without those to leave out, where there is a header;
 *     else all of them in order
 * @param skipLines lines at the beginning of each input that are not read; null for none
 * @param comment lines that begin with it are not read; null if there are no such lines
 * @param widths of the fields, in characters, the last up to the line's end; null if the delimiter
 *     separates them
 * @param thousands the character between thousands, {@code ,} or {@code .} or an apostrophe; null
 *     if numbers have none
 * @param booleans whether true and false in columns of values are 1 and 0; null if they are rejects
 */
public record TableMapping(
    String delimiter,
    String quote,
    boolean header,
    String decimal,
    List<String> missing,
    Time time,
    List<Column> columns,
    @Nullable Integer skipLines,
    @Nullable String comment,
    @Nullable List<Integer> widths,
    @Nullable String thousands,
    @Nullable Boolean booleans) {

  /**
   * How times are written.
   *
   * @param format {@code s}, {@code ms}, {@code us}, {@code ns}, {@code iso}, or a pattern of the
   *     JDK's DateTimeFormatter
   * @param zone of times without an offset
   * @param dst for times that this zone has twice or never
   */
  public record Time(String format, String zone, Dst dst) {
    /** The word for times as ISO 8601 writes them. */
    static final String ISO = "iso";

    /**
     * Checks it.
     *
     * @throws IllegalArgumentException if format or zone are invalid
     */
    public Time {
      try {
        reader(format, new LocalTimes(ZoneId.of(zone), dst));
      } catch (DateTimeException e) {
        throw new IllegalArgumentException("time: '" + zone + "' is not a time zone", e);
      }
    }

    /** Reads them. */
    public TimeReader reader() {
      return reader(format, local());
    }

    /** What those mean that say no offset. */
    public LocalTimes local() {
      return new LocalTimes(ZoneId.of(zone), dst);
    }

    private static TimeReader reader(String format, LocalTimes local) {
      for (TimestampUnit unit : TimestampUnit.values()) {
        if (unit != TimestampUnit.OPENTSDB && unit.toString().equals(format)) {
          return new EpochTime(unit);
        }
      }
      return format.equals(ISO) ? new IsoTime(local) : new PatternTime(format, local);
    }

    @Override
    public String toString() {
      boolean number = reader() instanceof EpochTime;
      return number ? format : format + ", " + zone;
    }
  }

  /**
   * A column.
   *
   * @param name in the header, or any
   * @param as the tag key, or the metric of a wide table; null for the name itself
   */
  public record Column(String name, Role role, @Nullable String as) {
    /** The tag key, or the metric. */
    public String stored() {
      return as == null ? name : as;
    }
  }

  /** What a column holds. */
  public enum Role {
    TIME,
    METRIC,
    VALUE,
    TAG,
    IGNORE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if no row could become a point by this mapping
   */
  public TableMapping {
    missing = List.copyOf(missing);
    columns = List.copyOf(columns);
    widths = widths == null ? null : List.copyOf(widths);
    check(isAscii(delimiter) && isAscii(quote), "delimiter and quote must be an ASCII character");
    check(!delimiter.equals(quote), "delimiter and quote must differ");
    check(decimal.equals(".") || decimal.equals(","), "decimal must be a point or a comma");
    check(
        thousands == null
            || (List.of(",", ".", "'").contains(thousands) && !thousands.equals(decimal)),
        "thousands must be a comma, a point or an apostrophe, and not the decimal character");
    check(count(columns, Role.TIME) > 0, "a column must have the role time");
    check(count(columns, Role.VALUE) > 0, "a column must have the role value");
    check(count(columns, Role.METRIC) <= 1, "only one column can have the role metric");
    check(
        count(columns, Role.METRIC) == 0 || count(columns, Role.VALUE) == 1,
        "with a column of metrics, one column must have the role value");
  }

  /** A mapping of fields that the delimiter separates, in lines that are all read. */
  public TableMapping(
      String delimiter,
      String quote,
      boolean header,
      String decimal,
      List<String> missing,
      Time time,
      List<Column> columns) {
    this(delimiter, quote, header, decimal, missing, time, columns, null, null, null, null, null);
  }

  /** This mapping with times that are written in another way. */
  public TableMapping withTime(Time other) {
    return new TableMapping(
        delimiter, quote, header, decimal, missing, other, columns, skipLines, comment, widths,
        thousands, booleans);
  }

  /** This mapping with true and false in columns of values as 1 and 0. */
  public TableMapping withBooleans() {
    return new TableMapping(
        delimiter, quote, header, decimal, missing, time, columns, skipLines, comment, widths,
        thousands, true);
  }

  /** Whether true and false in columns of values are 1 and 0. */
  public boolean storesBooleans() {
    return Boolean.TRUE.equals(booleans);
  }

  /** This mapping with a name for all that is stored under one, to be changed there. */
  TableMapping spelledOut() {
    List<Column> named =
        columns.stream()
            .map(
                column ->
                    column.role() == Role.TAG || (column.role() == Role.VALUE && !hasMetricColumn())
                        ? new Column(column.name(), column.role(), column.stored())
                        : column)
            .toList();
    return new TableMapping(
        delimiter, quote, header, decimal, missing, time, named, skipLines, comment, widths,
        thousands, booleans);
  }

  /**
   * Checks that rows have tags.
   *
   * @throws InputException if no series could have a tag
   */
  public void requireTags(String input, SeriesRules rules) throws InputException {
    boolean tagged =
        columns.stream().anyMatch(column -> column.role() == Role.TAG)
            || !rules.addedTags().isEmpty();
    if (!tagged) {
      throw new InputException(
          input
              + " has no tag column, but OpenTSDB needs at least one tag: add one with --add-tag"
              + " KEY=VALUE");
    }
  }

  /** Places, from 0, of the columns with a role, in their order. */
  public static int[] indexes(List<Column> columns, Role role) {
    return IntStream.range(0, columns.size()).filter(i -> columns.get(i).role() == role).toArray();
  }

  /**
   * Checks that no two columns are stored under one name, where one would replace the other.
   *
   * @throws InputException if two are
   */
  public void requireDistinctNames(String input, SeriesRules rules) throws InputException {
    requireDistinct(input, Role.TAG, rules.renamedTags(), rules);
    if (!hasMetricColumn()) {
      requireDistinct(input, Role.VALUE, rules.renamedMetrics(), rules);
    }
  }

  private void requireDistinct(
      String input, Role role, Map<String, String> renamed, SeriesRules rules)
      throws InputException {
    Map<String, Column> seen = new HashMap<>();
    for (int i : indexes(columns, role)) {
      Column column = columns.get(i);
      String given = renamed.getOrDefault(column.stored(), column.stored());
      String stored = rules.replacesCharacters() ? SeriesReader.replaced(given) : given;
      Column other = seen.putIfAbsent(stored, column);
      boolean dropped = role == Role.TAG && rules.droppedTags().contains(column.stored());
      if (other != null && !dropped) {
        throw new InputException(
            input
                + ": the columns '"
                + other.name()
                + "' and '"
                + column.name()
                + "' would both be stored as "
                + role
                + " "
                + stored
                + "; leave one out with --ignore"
                + (other.name().equals(column.name()) ? " and its number" : "")
                + ", or give one another name in a mapping file");
      }
    }
  }

  private static void check(boolean right, String rule) {
    if (!right) {
      throw new IllegalArgumentException("mapping: " + rule);
    }
  }

  private static boolean isAscii(String text) {
    return text.length() == 1 && text.charAt(0) < 0x80 && "\r\n".indexOf(text) < 0;
  }

  private static long count(List<Column> columns, Role role) {
    return columns.stream().filter(column -> column.role() == role).count();
  }

  /** Whether a point's metric stands in its row. */
  public boolean hasMetricColumn() {
    return count(columns, Role.METRIC) == 1;
  }

  /** In a few words for people. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            widths == null ? "table separated by " : "table of fields of fixed width");
    if (widths == null) {
      text.append(
          delimiter.equals("\t")
              ? "tabs"
              : delimiter.equals(" ") ? "blanks" : "'" + delimiter + "'");
    }
    if (skipLines != null) {
      text.append(" without its first ").append(skipLines == 1 ? "line" : skipLines + " lines");
    }
    text.append(decimal.equals(",") ? " with decimal commas" : "");
    text.append(thousands == null ? "" : " and '" + thousands + "' between thousands");
    return text.append("; ").append(columnsInWords(time.toString())).toString();
  }

  /**
   * What the columns are, in a few words for people.
   *
   * @param times how they are written
   */
  public String columnsInWords(String times) {
    StringBuilder text = new StringBuilder("time from ");
    text.append(names(Role.TIME)).append(" (").append(times).append(')');
    if (hasMetricColumn()) {
      text.append("; metric from ").append(names(Role.METRIC));
    }
    text.append("; values from ").append(names(Role.VALUE));
    if (count(columns, Role.TAG) > 0) {
      text.append("; tags from ").append(names(Role.TAG));
    }
    if (storesBooleans()) {
      text.append("; booleans as 0 and 1");
    }
    return text.toString();
  }

  private String names(Role role) {
    List<String> names =
        columns.stream()
            .filter(column -> column.role() == role)
            .map(
                column ->
                    column.stored().equals(column.name())
                            || (role == Role.VALUE && hasMetricColumn())
                        ? column.name()
                        : column.name() + " as " + column.stored())
            .toList();
    return String.join(", ", names);
  }
}
