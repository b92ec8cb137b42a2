package net.opentsdb.core;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.opentsdb.stats.StatsCollector;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the points of a query whose values meet conditions, before anything is made of them: {@code
 * >=95}, or several that must all hold, {@code >=10,<20}. Values count as doubles; NaN meets none.
 *
 * <p>Immutable, any thread.
 */
@NullMarked
final class ValueFilter {
  private static final Pattern CONDITION = Pattern.compile("\\s*(>=|<=|>|<|==|=|!=)\\s*(\\S+)\\s*");
  private static final int CONDITIONS_MAX = 8;

  /** What statistics say of points. */
  enum Verdict {
    NONE_MATCHES,
    ALL_MATCH,
    UNKNOWN
  }

  private static final LongAdder DECODED = new LongAdder();
  private static final LongAdder KNOWN = new LongAdder();
  private static final LongAdder PASSED_OVER = new LongAdder();

  private final List<Condition> conditions;

  private ValueFilter(List<Condition> conditions) {
    this.conditions = List.copyOf(conditions);
  }

  private record Condition(String operator, double limit) {
    boolean holds(double value) {
      return switch (operator) {
        case ">=" -> value >= limit;
        case "<=" -> value <= limit;
        case ">" -> value > limit;
        case "<" -> value < limit;
        case "!=" -> value < limit || value > limit;
        default -> value == limit;
      };
    }

    /** Of values between two others, these included. */
    Verdict of(double min, double max) {
      if (holds(min) && holds(max) && (!operator.equals("!=") || limit < min || limit > max)) {
        return Verdict.ALL_MATCH;
      }
      boolean none =
          switch (operator) {
            case ">=", ">" -> !holds(max);
            case "<=", "<" -> !holds(min);
            case "!=" -> min == limit && max == limit;
            default -> limit < min || limit > max;
          };
      return none ? Verdict.NONE_MATCHES : Verdict.UNKNOWN;
    }
  }

  /**
   * Reads conditions.
   *
   * @return null if there are none
   * @throws IllegalArgumentException saying what conditions look like
   */
  static @Nullable ValueFilter parse(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    List<Condition> conditions = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher found = CONDITION.matcher(part);
      double limit = found.matches() ? number(found.group(2)) : Double.NaN;
      if (Double.isNaN(limit) || conditions.size() == CONDITIONS_MAX) {
        throw new IllegalArgumentException(
            "valueFilter must be one to "
                + CONDITIONS_MAX
                + " conditions such as >=95 or >=10,<20, with >=, >, <=, <, = or != and a number: "
                + text);
      }
      conditions.add(new Condition(found.group(1), limit));
    }
    return new ValueFilter(conditions);
  }

  /**
   * Reads the conditions of a query that may delete.
   *
   * @throws IllegalArgumentException if it has conditions and deletes
   */
  static @Nullable ValueFilter of(@Nullable String text, boolean deletes) {
    ValueFilter filter = parse(text);
    if (filter != null && deletes) {
      throw new IllegalArgumentException(
          "A query with a valueFilter cannot delete: whole rows would be deleted");
    }
    return filter;
  }

  /**
   * Refuses conditions that cannot be read, or that a query cannot have.
   *
   * @param derived whether the query reads histograms or pre-aggregates
   */
  static void check(@Nullable String text, boolean derived) {
    if (parse(text) != null && derived) {
      throw new IllegalArgumentException(
          "valueFilter filters raw points, not histograms or pre-aggregates");
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Whether a value is kept. */
  boolean matches(double value) {
    for (int i = 0; i < conditions.size(); i++) {
      if (!conditions.get(i).holds(value)) {
        return false;
      }
    }
    return true;
  }

  /** What follows for all points from their minimum and maximum. */
  Verdict of(CellStatistics all) {
    double min = all.asDouble(all.min());
    double max = all.asDouble(all.max());
    boolean every = all.numbers() == all.count();
    for (Condition condition : conditions) {
      switch (condition.of(min, max)) {
        case NONE_MATCHES -> {
          return Verdict.NONE_MATCHES;
        }
        case UNKNOWN -> every = false;
        case ALL_MATCH -> {
          // The others decide.
        }
      }
    }
    return every ? Verdict.ALL_MATCH : Verdict.UNKNOWN;
  }

  /**
   * The points of a row that are kept.
   *
   * @param row as compaction leaves it: one column
   * @return the same row, a row with fewer points, or null for none
   * @throws IllegalDataException naming row and reason, if its cell is malformed
   */
  @Nullable KeyValue apply(KeyValue row) {
    PackedCellHeader header = PointColumn.matches(row) ? PointColumn.of(row).header() : null;
    CellStatistics all = header == null ? null : header.statistics();
    if (all != null) {
      Verdict verdict = of(all);
      if (verdict != Verdict.UNKNOWN) {
        KNOWN.increment();
        return verdict == Verdict.ALL_MATCH ? row : null;
      }
    }
    DECODED.increment();
    long baseTime = Bytes.getUnsignedInt(row.key(), Const.SALT_WIDTH() + TSDB.metrics_width());
    HourPoints hour = HourPoints.ofThread();
    if (!hour.read(row, baseTime, header)) {
      throw new IllegalDataException("A row cannot be read: " + row);
    }
    PointBlock kept = new PointBlock(hour.count());
    for (int i = 0; i < hour.count(); i++) {
      if (matches(hour.toDouble(i))) {
        if (hour.isDouble()[i]) {
          kept.addDouble(hour.offsets()[i], hour.values()[i]);
        } else {
          kept.addLong(hour.offsets()[i], hour.values()[i]);
        }
      }
    }
    if (kept.count() == hour.count()) {
      return row;
    }
    if (kept.count() == 0) {
      return null;
    }
    ByteWriter qualifier = new ByteWriter(4 * kept.count());
    ByteWriter value = new ByteWriter(9 * kept.count() + 1);
    CompactedCell.encode(kept, qualifier, value);
    return new KeyValue(
        row.key(), TSDB.FAMILY(), qualifier.toByteArray(), row.timestamp(), value.toByteArray());
  }

  /** Counts points that were not read, because summaries prove that no point of them is kept. */
  static void passedOver(long points) {
    PASSED_OVER.add(points);
  }

  /** Records for {@code /api/stats}. */
  static void collectStats(StatsCollector to) {
    to.record("query.value_filter.rows", DECODED.sum(), "result=decoded");
    to.record("query.value_filter.rows", KNOWN.sum(), "result=header");
    to.record("query.value_filter.points_passed_over", PASSED_OVER.sum());
  }

  @Override
  public String toString() {
    return conditions.toString();
  }
}
