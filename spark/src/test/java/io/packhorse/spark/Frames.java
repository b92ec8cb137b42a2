package io.packhorse.spark;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** DataFrames of ten hosts with a point every ten seconds for three hours, and as import lines. */
final class Frames {
  static final long START_SECONDS = 1_704_067_200;
  private static final int POINTS = 1080;
  private static final int HOSTS = 10;

  private Frames() {}

  /** The columns of long rows. */
  static StructType longSchema() {
    return new StructType()
        .add("metric", DataTypes.StringType)
        .add("tags", DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType))
        .add("time", DataTypes.TimestampType)
        .add("value", DataTypes.DoubleType);
  }

  /** Metric, tags, time and value; the first host has one tag more. */
  static Dataset<Row> points(SparkSession spark) {
    return spark.createDataFrame(rows(), longSchema()).repartition(2);
  }

  /** The rows of {@link #points}. */
  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      for (int host = 0; host < HOSTS; host++) {
        rows.add(row("h" + host, i, value(i, host)));
      }
    }
    return rows;
  }

  /** One row. */
  static Row row(String host, int i, double value) {
    Map<String, String> tags =
        host.equals("h0") ? Map.of("host", host, "rack", "r.1") : Map.of("host", host);
    return RowFactory.create("it.frame", tags, Timestamp.from(time(i)), value);
  }

  /** The same points in a column for each host. */
  static Dataset<Row> wide(SparkSession spark, int hosts) {
    StructType schema =
        new StructType().add("at", DataTypes.TimestampType).add("site", DataTypes.StringType);
    for (int host = 0; host < hosts; host++) {
      schema = schema.add("v" + host, DataTypes.DoubleType);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      Object[] cells = new Object[2 + hosts];
      cells[0] = Timestamp.from(time(i));
      cells[1] = "oslo";
      for (int host = 0; host < hosts; host++) {
        cells[2 + host] = value(i, host);
      }
      rows.add(RowFactory.create(cells));
    }
    return spark.createDataFrame(rows, schema).coalesce(1);
  }

  /** {@link #points} as import lines. */
  static String lines() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < POINTS; i++) {
      for (int host = 0; host < HOSTS; host++) {
        text.append("it.frame ").append(time(i).getEpochSecond()).append(' ');
        text.append(value(i, host)).append(" host=h").append(host);
        text.append(host == 0 ? " rack=r.1\n" : "\n");
      }
    }
    return text.toString();
  }

  /** {@link #wide} as import lines. */
  static String wideLines(int hosts) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < POINTS; i++) {
      for (int host = 0; host < hosts; host++) {
        text.append("w.").append(host).append(' ').append(time(i).getEpochSecond()).append(' ');
        text.append(value(i, host)).append(" site=oslo\n");
      }
    }
    return text.toString();
  }

  private static Instant time(int i) {
    return Instant.ofEpochSecond(START_SECONDS + 10L * i);
  }

  private static double value(int i, int host) {
    return i * (host + 1) % 977 + 0.25;
  }
}
