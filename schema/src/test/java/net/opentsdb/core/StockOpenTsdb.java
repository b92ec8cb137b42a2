package net.opentsdb.core;

import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.opentsdb.meta.Annotation;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.utils.Config;
import org.hbase.async.Bytes;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;

/**
 * The published OpenTSDB, asked for the bytes it would store; the other side of every byte rule.
 *
 * <p>Its client never gets to connect: names are put into its caches, and rows are handed to its
 * compaction directly. Widths and salts are static state of OpenTSDB, so only the latest instance
 * answers rightly, tests run one after the other, and {@link #close} restores the defaults.
 */
public final class StockOpenTsdb implements AutoCloseable {
  /** A base time that the rows here share: 2013-01-01. */
  public static final long BASE_TIME = 1_356_998_400L;

  private static final HBaseClient NO_HBASE = new HBaseClient("127.0.0.1:1");
  private static final byte[] FAMILY = "t".getBytes(StandardCharsets.ISO_8859_1);

  private final TSDB tsdb;

  /** OpenTSDB as it is set up where nothing is set. */
  public StockOpenTsdb() {
    this(UidWidths.DEFAULT, 0, 20);
  }

  public StockOpenTsdb(UidWidths widths, SaltFunction salt) {
    this(widths, salt.width(), salt.buckets());
  }

  private StockOpenTsdb(UidWidths widths, int saltWidth, int saltBuckets) {
    try {
      Config config = new Config(false);
      config.overrideConfig("tsd.storage.enable_compaction", "false");
      config.overrideConfig("tsd.storage.uid.width.metric", "" + widths.metric());
      config.overrideConfig("tsd.storage.uid.width.tagk", "" + widths.tagk());
      config.overrideConfig("tsd.storage.uid.width.tagv", "" + widths.tagv());
      config.overrideConfig("tsd.storage.salt.width", "" + saltWidth);
      config.overrideConfig("tsd.storage.salt.buckets", "" + saltBuckets);
      tsdb = new TSDB(NO_HBASE, config);
    } catch (IOException e) {
      throw new IllegalStateException("OpenTSDB reads no file here", e);
    }
  }

  @Override
  public void close() {
    new StockOpenTsdb();
  }

  /** Makes a name known under a UID, as if read from the UID table. */
  public void metric(String name, byte[] uid) {
    cache(tsdb.metrics, name, uid);
  }

  /** See {@link #metric}. */
  public void tagk(String name, byte[] uid) {
    cache(tsdb.tag_names, name, uid);
  }

  /** See {@link #metric}. */
  public void tagv(String name, byte[] uid) {
    cache(tsdb.tag_values, name, uid);
  }

  private static void cache(UniqueId table, String name, byte[] uid) {
    try {
      Method mapping = UniqueId.class.getDeclaredMethod("cacheMapping", String.class, byte[].class);
      mapping.setAccessible(true);
      mapping.invoke(table, name, uid);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("OpenTSDB's UID cache has changed", e);
    }
  }

  /** The key its writers use for a point of this series. */
  public byte[] rowKey(String metric, Map<String, String> tags, long timestamp) {
    byte[] key = IncomingDataPoints.rowKeyTemplate(tsdb, metric, tags);
    Internal.setBaseTime(key, (int) Internal.baseTime(timestamp));
    RowKey.prefixKeyWithSalt(key);
    return key;
  }

  /** The key its readers use for a TSUID. */
  public byte[] rowKey(byte[] tsuid, long timestamp) {
    return RowKey.rowKeyFromTSUID(tsdb, tsuid, timestamp);
  }

  /** The TSUID it finds in a row key. */
  public byte[] tsuid(byte[] rowKey) {
    return UniqueId.getTSUIDFromKey(rowKey, TSDB.metrics_width(), Const.TIMESTAMP_BYTES);
  }

  /** The salt bytes of a bucket, with which its scanners start and stop. */
  public byte[] salt(int bucket) {
    return RowKey.getSaltBytes(bucket);
  }

  /** The base time it finds in a row key. */
  public long baseTime(byte[] rowKey) {
    return Internal.baseTime(tsdb, rowKey);
  }

  /** The columns it would put for the points of a block, one each, at {@link #BASE_TIME}. */
  public List<KeyValue> puts(PointBlock block) {
    List<KeyValue> row = new ArrayList<>();
    for (int i = 0; i < block.count(); i++) {
      long bits = block.values()[i];
      byte[] value;
      int flags;
      if (!block.isDouble()[i]) {
        value = Internal.vleEncodeLong(bits);
        flags = value.length - 1;
      } else if (FloatBits.fits(bits)) {
        value = Bytes.fromInt(FloatBits.narrow(bits));
        flags = Const.FLAG_FLOAT | 3;
      } else {
        value = Bytes.fromLong(bits);
        flags = Const.FLAG_FLOAT | 7;
      }
      int offset = block.offsetsMs()[i];
      long timestamp = offset % 1000 == 0 ? BASE_TIME + offset / 1000 : BASE_TIME * 1000 + offset;
      row.add(column(Internal.buildQualifier(timestamp, (short) flags), value));
    }
    return row;
  }

  /** A stored column of one row of this series. */
  public KeyValue column(byte[] qualifier, byte[] value) {
    byte[] key = rowKey(Bytes.fromLong(0x0101_0102_0203_0304L), BASE_TIME);
    return new KeyValue(key, FAMILY, qualifier, value);
  }

  /** The one column that its compaction, and so each query, makes of a row. */
  public KeyValue compact(List<KeyValue> row) {
    return tsdb.compact(new ArrayList<>(row), new ArrayList<Annotation>(), new ArrayList<>());
  }

  /** The points that a query sees in a column, through compaction and the row reader. */
  public PointBlock query(KeyValue column) {
    RowSeq seq = new RowSeq(tsdb);
    seq.setRow(compact(List.of(column)));
    PointBlock block = new PointBlock();
    SeekableView points = seq.iterator();
    while (points.hasNext()) {
      DataPoint point = points.next();
      int offset = (int) (point.timestamp() - BASE_TIME * 1000);
      if (point.isInteger()) {
        block.addLong(offset, point.longValue());
      } else {
        block.addDouble(offset, Double.doubleToRawLongBits(point.doubleValue()));
      }
    }
    return block;
  }

  /** The points that its tools see in a column: sorted, of equal ones the last. */
  public PointBlock extract(KeyValue column) {
    List<Internal.Cell> cells = Internal.extractDataPoints(column);
    PointBlock block = new PointBlock();
    for (int i = 0; i < cells.size(); i++) {
      int offset = Internal.getOffsetFromQualifier(cells.get(i).qualifier());
      if (i + 1 < cells.size()
          && Internal.getOffsetFromQualifier(cells.get(i + 1).qualifier()) == offset) {
        continue;
      }
      Number value = cells.get(i).parseValue();
      if (cells.get(i).isInteger()) {
        block.addLong(offset, value.longValue());
      } else {
        block.addDouble(offset, Double.doubleToRawLongBits(value.doubleValue()));
      }
    }
    return block;
  }
}
