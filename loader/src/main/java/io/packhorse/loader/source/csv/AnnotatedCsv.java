package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.RowKey;
import io.packhorse.loader.source.table.RowSeries;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * InfluxDB's annotated CSV, as queries in Flux answer: tables one after the other, each with
 * annotations (#datatype, #group, #default) and a header. What a row means depends on them, so one
 * object reads one input, from its beginning. One thread.
 */
public final class AnnotatedCsv implements RecordFormat {
  private static final Pattern ANNOTATION = Pattern.compile("\"?#(group|datatype|default)\"?,.*");
  private static final Pattern HEADER =
      Pattern.compile(",\"?result\"?,\"?table\"?,.*\\b_value\\b.*");
  private static final Pattern FOR_WRITING =
      Pattern.compile("#constant .*|#datatype (measurement|tag|field|time|dateTime|double|long).*");
  private static final int TABLES_KEPT = 64;

  private final SeriesReader reader;
  private final boolean skipsText;
  private final boolean storesBooleans;
  private final RowEnds rows = new RowEnds(RowSyntax.separated(',', '"'));
  private final RowParser parser = new RowParser(RowSyntax.separated(',', '"'));
  private final TimeReader time = TableOptions.ISO_TIME.reader();
  private final ValueReader value = new ValueReader();
  private final RowKey key = new RowKey();
  private final RowFields filled = new RowFields();

  /** Tables repeat their annotations and headers: the series of those alike are found together. */
  private final Map<List<List<String>>, AnnotatedTable> tables =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<List<String>>, AnnotatedTable> eldest) {
          return size() > TABLES_KEPT;
        }
      };

  private List<String> groups = List.of();
  private List<String> types = List.of();
  private List<String> defaults = List.of();

  /** Whether the last row was an annotation, or a header must follow for another reason. */
  private boolean awaitsHeader = true;

  private boolean annotating;
  private @Nullable AnnotatedTable table;

  /**
   * @param skipsText whether text is left out instead of rejected
   * @param storesBooleans whether true and false are stored as 1 and 0
   */
  public AnnotatedCsv(SeriesReader reader, boolean skipsText, boolean storesBooleans) {
    this.reader = reader;
    this.skipsText = skipsText;
    this.storesBooleans = storesBooleans;
  }

  /** Whether an input begins so, by its lines with content. */
  public static boolean startsLike(List<String> lines) {
    return lines.stream()
        .limit(1)
        .anyMatch(
            line ->
                ANNOTATION.matcher(line).matches()
                    || HEADER.matcher(line).matches()
                    || FOR_WRITING.matcher(line).matches());
  }

  /**
   * Refuses the kind that InfluxDB reads and does not write.
   *
   * @throws InputException if the input is of that kind
   */
  public static void checkReadable(InputHead head) throws InputException {
    if (head.lines().stream()
        .filter(line -> !line.isBlank())
        .limit(3)
        .anyMatch(line -> FOR_WRITING.matcher(line).matches())) {
      throw new InputException(
          head.name()
              + " is annotated CSV for writing into InfluxDB, which is not read; write it there and"
              + " load what influx query --raw answers, or take the lines with # off and load it"
              + " with --format csv");
    }
  }

  @Override
  public String description() {
    return "InfluxDB annotated CSV; metrics are _measurement._field, times are _time"
        + (skipsText ? "; text fields are left out" : "")
        + (storesBooleans ? "; booleans as 0 and 1" : "");
  }

  @Override
  public boolean dependsOnEarlierRecords() {
    return true;
  }

  @Override
  public boolean countsLines() {
    return true;
  }

  @Override
  public int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    return rows.end(buffer, from, limit, last);
  }

  @Override
  public int lastRecordEnd(byte[] buffer, int from, int limit) {
    return rows.lastEnd(buffer, from, limit);
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    if (from == to) {
      return;
    }
    Reason reason =
        rows.isWhole(buffer, from, to) && parser.read(buffer, from, to)
            ? readRow(parser.row(), from, to, points)
            : Reason.ROW_MALFORMED;
    if (reason != null) {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readRow(RowFields fields, int from, int to, Points points) {
    String first = fields.text(0);
    if (first.startsWith("#")) {
      annotate(first, fields);
      return null;
    }
    if (awaitsHeader || isHeader(fields)) {
      begin(words(fields));
      return null;
    }
    AnnotatedTable in = table;
    if (in == null || !in.holdsPoints()) {
      return Reason.TABLE_WITHOUT_POINTS;
    }
    if (fields.count() != in.width()) {
      return Reason.ROW_LENGTH;
    }
    return readPoints(in, in.hasDefaults() ? in.fill(fields, filled) : fields, from, to, points);
  }

  private void annotate(String first, RowFields fields) {
    if (!annotating) {
      groups = List.of();
      types = List.of();
      defaults = List.of();
    }
    annotating = true;
    awaitsHeader = true;
    switch (first) {
      case "#group" -> groups = words(fields);
      case "#datatype" -> types = words(fields);
      case "#default" -> defaults = words(fields);
      default -> {}
    }
  }

  /** Tables without annotations have a header each. */
  private static boolean isHeader(RowFields fields) {
    return fields.count() > 2 && fields.text(1).equals("result") && fields.text(2).equals("table");
  }

  private void begin(List<String> names) {
    annotating = false;
    awaitsHeader = false;
    table =
        tables.computeIfAbsent(
            List.of(groups, types, defaults, names),
            none -> new AnnotatedTable(reader.forAnotherThread(), names, groups, types, defaults));
  }

  private static List<String> words(RowFields fields) {
    List<String> words = new ArrayList<>();
    for (int field = 0; field < fields.count(); field++) {
      words.add(fields.text(field));
    }
    return List.copyOf(words);
  }

  private @Nullable Reason readPoints(
      AnnotatedTable in, RowFields fields, int from, int to, Points points) {
    int at = in.timeColumn();
    long timestampMs =
        fields.isEmpty(at)
            ? TimeReader.MALFORMED
            : time.millis(fields.bytes(), fields.from(at), fields.to(at));
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    int row = in.series().find(fields, key);
    if (row == RowSeries.REJECTED) {
      return key.reason();
    }
    int[] columns = in.valueColumns();
    for (int i = 0; i < columns.length; i++) {
      if (fields.isEmpty(columns[i])) {
        continue;
      }
      Reason reason = readValue(fields, columns[i], in.type(columns[i]));
      if (reason == Reason.VALUE_TEXT && skipsText && in.isText(columns[i])) {
        points.leaveOut();
        continue;
      }
      int number = reason == null ? in.series().number(row, fields, i, key) : SeriesReader.REJECTED;
      if (number != SeriesReader.REJECTED) {
        points.add(number, timestampMs, value.bits(), value.isDouble());
      } else {
        points.reject(reason == null ? key.reason() : reason, from, to);
      }
    }
    return null;
  }

  private @Nullable Reason readValue(RowFields fields, int column, String type) {
    byte[] bytes = fields.bytes();
    int from = fields.from(column);
    int to = fields.to(column);
    return switch (type) {
      case "double" -> value.readFloating(bytes, from, to);
      case "long", "unsignedLong" -> value.readInteger(bytes, from, to);
      case "boolean" -> readBoolean(new String(bytes, from, to - from, StandardCharsets.UTF_8));
      case "" -> value.read(bytes, from, to);
      default -> Reason.VALUE_TEXT;
    };
  }

  private @Nullable Reason readBoolean(String word) {
    Predicate<String> is = word::equalsIgnoreCase;
    if (!storesBooleans || !(is.test("true") || is.test("false"))) {
      return Reason.VALUE_TEXT;
    }
    value.integer(is.test("true") ? 1 : 0);
    return null;
  }
}
