package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.cell.Qualifier;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows with packed cells and every kind of OpenTSDB's own columns.
 *
 * @param random makes the points
 */
record MixedRows(EmbeddedServer server, SplittableRandom random) {
  static final long START_S = 1_704_067_200;
  static final int HOURS = 12;
  static final int HOSTS = 9;
  static final byte[] POINTS = Bytes.toBytes(StoreTables.POINT_FAMILY);
  static final byte[] PACKED = Bytes.toBytes(StoreTables.PACKED_FAMILY);

  /** Salt and metric UID before the base time in a row key of the embedded store. */
  private static final int TIME_AT = 4;

  /** How old the oldest of OpenTSDB's own columns are. */
  private static final long AGE_MS = 100_000;

  /** Hosts from one number to another, half of {@link #HOURS}; every third has a rack. */
  List<String> lines(String metric, int from, int to) {
    List<String> lines = new ArrayList<>();
    for (long time = START_S * 1000; time < (START_S + HOURS * 1800) * 1000; time += 20_000) {
      for (int host = from; host < Math.min(to, HOSTS); host++) {
        if (random.nextInt(3) > 0) {
          String at =
              random.nextInt(9) == 0
                  ? Long.toString(time + random.nextInt(1, 999))
                  : Long.toString(time / 1000 + random.nextInt(19));
          String value =
              random.nextBoolean()
                  ? Integer.toString(random.nextInt(1000))
                  : Double.toString(random.nextInt(1000) / 10.0);
          lines.add(
              metric + " " + at + " " + value + " host=h" + host + (host % 3 > 0 ? " rack=r" : ""));
        }
      }
    }
    return lines;
  }

  /** Every kind of OpenTSDB's own columns, in rows with packed cells and without. */
  long addPlainColumns(String metric) throws Exception {
    long annotations = 0;
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA))) {
      List<byte[]> rows = rows(cluster, metric);
      // Hours after those loaded have no packed cell.
      for (byte[] row : List.copyOf(rows)) {
        byte[] later = row.clone();
        long base = Bytes.toInt(row, TIME_AT) & 0xffff_ffffL;
        if (base < START_S + HOURS * 1800) {
          Bytes.putInt(later, TIME_AT, (int) (base + HOURS * 1800));
          rows.add(later);
        }
      }
      for (byte[] row : rows) {
        Put put = new Put(row);
        boolean loaded = (Bytes.toInt(row, TIME_AT) & 0xffff_ffffL) < START_S + HOURS * 1800;
        long stamp = System.currentTimeMillis() - AGE_MS;
        for (int i = random.nextInt(loaded ? 5 : 40); i >= 0; i--) {
          stamp += random.nextInt(1, 2000);
          addColumn(put, stamp, random);
        }
        // A time in two columns of one timestamp, as a live TSD stores them within a millisecond:
        // the first counts. Without a packed cell even OpenTSDB's choice is one of chance.
        if (!table.get(new Get(row).addFamily(PACKED)).isEmpty()) {
          byte[] seconds = new Qualifier(77_000, false, false, 1).toBytes();
          byte[] millis = new Qualifier(77_000, true, false, 1).toBytes();
          put.addColumn(POINTS, seconds, stamp + 1, new byte[] {1});
          put.addColumn(POINTS, millis, stamp + 1, new byte[] {2});
        }
        if (random.nextInt(3) == 0) {
          put.addColumn(
              POINTS,
              new byte[] {1, 0, 7},
              Bytes.toBytes("{\"startTime\":1,\"description\":\"a\"}"));
          annotations++;
        }
        table.put(put);
      }
    }
    return annotations;
  }

  private static void addColumn(Put put, long stamp, SplittableRandom random) {
    PointBlock points = new PointBlock();
    int offset = random.nextInt(500) * 1000;
    int count = random.nextInt(2, 30);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(4) == 0) {
        double value = random.nextBoolean() ? (float) random.nextDouble() : random.nextDouble();
        points.addDouble(offset, Double.doubleToRawLongBits(value));
      } else {
        points.addLong(offset, random.nextLong() >> random.nextInt(12, 64));
      }
      offset += random.nextInt(3) == 0 ? random.nextInt(1, 60_000) : 1000 * random.nextInt(1, 60);
    }
    switch (random.nextInt(6)) {
      case 0 -> {
        ByteWriter qualifier = new ByteWriter(0);
        ByteWriter value = new ByteWriter(0);
        CompactedCell.encode(points, qualifier, value);
        put.addColumn(POINTS, qualifier.toByteArray(), stamp, value.toByteArray());
      }
      case 1 -> put.addColumn(POINTS, new byte[] {5, 0, 0}, stamp, append(points, random));
      case 2 -> {
        // As old versions stored it: flags of eight bytes, a value of four; four zero bytes first.
        int second = offset / 1000 % 3600;
        byte[] column = new Qualifier(second * 1000, false, true, 4).toBytes();
        byte[] value = ByteBuffer.allocate(8).putInt(0).putFloat(0.5f).array();
        put.addColumn(POINTS, column, stamp, value);
        // Of two columns of one time and timestamp OpenTSDB's choice is one of chance.
        int another = (second + random.nextInt(1, 3600)) % 3600;
        byte[] other = new Qualifier(another * 1000, false, false, 8).toBytes();
        put.addColumn(POINTS, other, stamp, new byte[] {1, (byte) random.nextInt()});
      }
      default -> {
        for (int i = 0; i < Math.min(3, points.count()); i++) {
          boolean millis = points.offsetsMs()[i] % 1000 != 0 || random.nextBoolean();
          boolean isDouble = points.isDouble()[i];
          byte[] value = ByteBuffer.allocate(8).putLong(points.values()[i]).array();
          put.addColumn(
              POINTS,
              new Qualifier(points.offsetsMs()[i], millis, isDouble, 8).toBytes(),
              stamp,
              value);
        }
      }
    }
  }

  /** Points in the order of arrival, some twice. */
  private static byte[] append(PointBlock points, SplittableRandom random) {
    ByteBuffer value = ByteBuffer.allocate(points.count() * 24);
    for (int i = 0; i < points.count(); i++) {
      int at = random.nextInt(3) == 0 ? random.nextInt(points.count()) : i;
      boolean isDouble = points.isDouble()[at];
      long bits = points.values()[at] ^ (isDouble ? 0 : i);
      boolean narrow = isDouble && FloatBits.fits(bits);
      boolean millis = points.offsetsMs()[at] % 1000 != 0;
      value.put(new Qualifier(points.offsetsMs()[at], millis, isDouble, narrow ? 4 : 8).toBytes());
      if (narrow) {
        value.putInt(FloatBits.narrow(bits));
      } else {
        value.putLong(bits);
      }
    }
    return Arrays.copyOf(value.array(), value.position());
  }

  static List<byte[]> rows(Cluster cluster, String metric) throws Exception {
    byte[] uid;
    try (Table names = cluster.connection().getTable(TableName.valueOf(StoreTables.UID))) {
      uid =
          names
              .get(new Get(UidRows.nameBytes(metric)))
              .getValue(Bytes.toBytes("id"), Bytes.toBytes("metrics"));
    }
    List<byte[]> rows = new ArrayList<>();
    try (Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA));
        ResultScanner all = table.getScanner(new Scan())) {
      for (Result row : all) {
        byte[] key = row.getRow();
        if (key.length > TIME_AT && Arrays.equals(key, 1, TIME_AT, uid, 0, uid.length)) {
          rows.add(key);
        }
      }
    }
    return rows;
  }
}
