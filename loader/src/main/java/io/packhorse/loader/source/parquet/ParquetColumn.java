package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.table.ColumnType;
import io.packhorse.loader.source.table.LocalTimes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** A column of a file, and what its type says of its values. Immutable. */
final class ParquetColumn {
  /** Of 1970-01-01, as INT96 counts days. */
  private static final int EPOCH_JULIAN_DAY = 2_440_588;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /** What the values mean, however they are stored. */
  private enum Kind {
    INTEGER,
    UNSIGNED,
    FLOATING,
    DECIMAL,
    TEXT,
    BOOLEAN,
    UUID,
    TIMESTAMP,
    TIME_OF_DAY,
    OTHER
  }

  private final String name;
  private final ColumnDescriptor descriptor;
  private final PrimitiveType type;
  private final Kind kind;

  ParquetColumn(ColumnDescriptor descriptor) {
    this.descriptor = descriptor;
    this.name = String.join(".", descriptor.getPath());
    this.type = descriptor.getPrimitiveType();
    this.kind = descriptor.getMaxRepetitionLevel() > 0 ? Kind.OTHER : kind(type);
  }

  private static Kind kind(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation) {
      return Kind.DECIMAL;
    }
    return switch (type.getPrimitiveTypeName()) {
      case INT32, INT64 -> {
        if (logical instanceof IntLogicalTypeAnnotation integer) {
          yield integer.isSigned() ? Kind.INTEGER : Kind.UNSIGNED;
        }
        if (logical instanceof TimeLogicalTypeAnnotation) {
          yield Kind.TIME_OF_DAY;
        }
        boolean moment =
            logical instanceof TimestampLogicalTypeAnnotation
                || logical instanceof DateLogicalTypeAnnotation;
        yield moment ? Kind.TIMESTAMP : logical == null ? Kind.INTEGER : Kind.OTHER;
      }
      case FLOAT, DOUBLE -> Kind.FLOATING;
      case BOOLEAN -> Kind.BOOLEAN;
      case INT96 -> Kind.TIMESTAMP;
      case BINARY -> {
        boolean text =
            logical == null
                || logical instanceof StringLogicalTypeAnnotation
                || logical instanceof EnumLogicalTypeAnnotation;
        yield text ? Kind.TEXT : Kind.OTHER;
      }
      case FIXED_LEN_BYTE_ARRAY ->
          logical instanceof UUIDLogicalTypeAnnotation ? Kind.UUID : Kind.OTHER;
    };
  }

  /** The names on the way to it, with points between them. */
  String name() {
    return name;
  }

  ColumnDescriptor descriptor() {
    return descriptor;
  }

  /** What the type says of the values as text. */
  ColumnType type() {
    return switch (kind) {
      case INTEGER, UNSIGNED, FLOATING, DECIMAL -> ColumnType.NUMBER;
      case TEXT, UUID -> ColumnType.TEXT;
      case BOOLEAN -> ColumnType.BOOLEAN;
      case TIMESTAMP, TIME_OF_DAY -> ColumnType.TIME;
      case OTHER -> ColumnType.OTHER;
    };
  }

  /** What it holds, in the file's own words. */
  String typeName() {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return descriptor.getMaxRepetitionLevel() > 0
        ? "list or map"
        : logical == null ? type.getPrimitiveTypeName().toString() : logical.toString();
  }

  /** Whether values are numbers. */
  boolean isNumber() {
    return kind == Kind.INTEGER
        || kind == Kind.UNSIGNED
        || kind == Kind.FLOATING
        || kind == Kind.DECIMAL;
  }

  /** Whether values are written as words. */
  boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Whether the type is a timestamp or date, which needs no format. */
  boolean isTimestamp() {
    return kind == Kind.TIMESTAMP;
  }

  /** Whether values can be tags. */
  boolean hasText() {
    return kind != Kind.TIMESTAMP && kind != Kind.OTHER;
  }

  /** Whether timestamps are local times of a zone that the type does not state. */
  boolean isLocal() {
    return type.getLogicalTypeAnnotation() instanceof DateLogicalTypeAnnotation
        || (type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation timestamp
            && !timestamp.isAdjustedToUTC());
  }

  /** The time format of a mapping that describes this column. */
  String timeFormat() {
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
      return "ns";
    }
    return type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation timestamp
        ? switch (timestamp.getUnit()) {
          case MILLIS -> "ms";
          case MICROS -> "us";
          case NANOS -> "ns";
        }
        : "iso";
  }

  /** For people. */
  @Override
  public String toString() {
    return name + " (" + type.getPrimitiveTypeName() + annotation() + ")";
  }

  private String annotation() {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return logical == null ? "" : ", " + logical;
  }

  /** Reads a value; null, or the reason to reject it. */
  @Nullable Reason value(ColumnValues values, int row, ValueReader into) {
    long number = values.number(row);
    return switch (kind) {
      case INTEGER -> {
        into.integer(number);
        yield null;
      }
      case UNSIGNED -> {
        into.integer(unsigned(number));
        yield unsigned(number) < 0 ? Reason.INTEGER_TOO_LARGE : null;
      }
      case FLOATING -> into.floating(floating(number));
      case DECIMAL -> {
        boolean empty = isBinary() && values.binary(row).length() == 0;
        yield empty ? Reason.VALUE_MALFORMED : decimal(decimal(values, row), into);
      }
      default -> Reason.VALUE_MALFORMED;
    };
  }

  private static @Nullable Reason decimal(BigDecimal value, ValueReader into) {
    if (value.scale() > 0) {
      return into.floating(value.doubleValue());
    }
    BigInteger whole = value.toBigInteger();
    if (whole.bitLength() >= Long.SIZE) {
      return Reason.INTEGER_TOO_LARGE;
    }
    into.integer(whole.longValue());
    return null;
  }

  /**
   * The time of a value of {@link #isTimestamp}.
   *
   * @return as {@link TimeReader#millis}
   */
  long millis(ColumnValues values, int row, LocalTimes local) {
    long millis = clockMillis(values, row);
    return isLocal()
        ? local.millis(Math.floorDiv(millis, 1000), (int) Math.floorMod(millis, 1000L))
        : TimeReader.inRange(millis);
  }

  /** What clocks show, as if they were those of UTC. */
  private long clockMillis(ColumnValues values, int row) {
    long number = values.number(row);
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
      ByteBuffer moment = values.binary(row).toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      long nanosOfDay = moment.getLong();
      return (moment.getInt() - EPOCH_JULIAN_DAY) * DAY_MS + Math.floorDiv(nanosOfDay, 1_000_000L);
    }
    return type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation timestamp
        ? switch (timestamp.getUnit()) {
          case MILLIS -> number;
          case MICROS -> Math.floorDiv(number, 1000L);
          case NANOS -> Math.floorDiv(number, 1_000_000L);
        }
        : number * DAY_MS;
  }

  /** A value as text. */
  String text(ColumnValues values, int row) {
    long number = values.number(row);
    return switch (kind) {
      case INTEGER -> Long.toString(number);
      case UNSIGNED -> Long.toUnsignedString(unsigned(number));
      case FLOATING ->
          plain(
              type.getPrimitiveTypeName() == PrimitiveTypeName.FLOAT
                  ? Float.toString(Float.intBitsToFloat((int) number))
                  : Double.toString(Double.longBitsToDouble(number)));
      case DECIMAL ->
          isBinary() && values.binary(row).length() == 0
              ? ""
              : decimal(values, row).toPlainString();
      case TEXT -> values.binary(row).toStringUsingUTF8();
      case BOOLEAN -> Boolean.toString(number != 0);
      case UUID -> {
        ByteBuffer bytes = values.binary(row).toByteBuffer();
        yield new UUID(bytes.getLong(), bytes.getLong()).toString();
      }
      case TIMESTAMP -> moment(Instant.ofEpochMilli(clockMillis(values, row)).toString());
      case TIME_OF_DAY -> timeOfDay(number);
      case OTHER -> type.getPrimitiveTypeName().toString();
    };
  }

  /** A time without what the type does not state. */
  private String moment(String instant) {
    boolean date = type.getLogicalTypeAnnotation() instanceof DateLogicalTypeAnnotation;
    return date
        ? instant.substring(0, instant.indexOf('T'))
        : isLocal() ? instant.substring(0, instant.length() - 1) : instant;
  }

  private String timeOfDay(long number) {
    TimeUnit unit =
        type.getLogicalTypeAnnotation() instanceof TimeLogicalTypeAnnotation time
            ? switch (time.getUnit()) {
              case MILLIS -> TimeUnit.MILLISECONDS;
              case MICROS -> TimeUnit.MICROSECONDS;
              case NANOS -> TimeUnit.NANOSECONDS;
            }
            : TimeUnit.NANOSECONDS;
    return LocalTime.ofNanoOfDay(Math.floorMod(unit.toNanos(number), TimeUnit.DAYS.toNanos(1)))
        .format(TIME);
  }

  /** Without an exponent, which no time and no name has. */
  private static String plain(String number) {
    return number.indexOf('E') < 0 ? number : new BigDecimal(number).toPlainString();
  }

  private long unsigned(long number) {
    return type.getPrimitiveTypeName() == PrimitiveTypeName.INT32 ? number & 0xffff_ffffL : number;
  }

  private double floating(long number) {
    return type.getPrimitiveTypeName() == PrimitiveTypeName.FLOAT
        ? Float.intBitsToFloat((int) number)
        : Double.longBitsToDouble(number);
  }

  private BigDecimal decimal(ColumnValues values, int row) {
    int scale = ((DecimalLogicalTypeAnnotation) type.getLogicalTypeAnnotation()).getScale();
    return isBinary()
        ? new BigDecimal(new BigInteger(values.binary(row).getBytesUnsafe()), scale)
        : BigDecimal.valueOf(values.number(row), scale);
  }

  private boolean isBinary() {
    PrimitiveTypeName stored = type.getPrimitiveTypeName();
    return stored == PrimitiveTypeName.BINARY || stored == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
  }
}
