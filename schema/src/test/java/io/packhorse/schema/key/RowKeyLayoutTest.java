package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.opentsdb.core.StockOpenTsdb;
import org.junit.jupiter.api.Test;

class RowKeyLayoutTest {
  private static final RowKeyLayout PLAIN = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
  private static final RowKeyLayout SALTED =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static void checkAgainstOpenTsdb(RowKeyLayout layout) throws MalformedCellException {
    UidWidths widths = layout.widths();
    Random random = new Random(17);
    try (StockOpenTsdb stock = new StockOpenTsdb(widths, layout.salt())) {
      for (int round = 0; round < 300; round++) {
        TreeMap<String, String> tags = new TreeMap<>();
        long metric = uid(random, widths.metric());
        stock.metric("m" + metric, UidRows.encode(metric, widths.metric()));
        int pairs = 1 + random.nextInt(8);
        long[] tagks =
            LongStream.generate(() -> uid(random, widths.tagk())).distinct().limit(pairs).toArray();
        long[] uids = new long[2 * pairs];
        for (int i = 0; i < pairs; i++) {
          uids[2 * i] = tagks[i];
          uids[2 * i + 1] = uid(random, widths.tagv());
          stock.tagk("k" + uids[2 * i], UidRows.encode(uids[2 * i], widths.tagk()));
          stock.tagv("v" + uids[2 * i + 1], UidRows.encode(uids[2 * i + 1], widths.tagv()));
          tags.put("k" + uids[2 * i], "v" + uids[2 * i + 1]);
        }
        long seconds = random.nextLong() & 0xffff_ffffL;
        long imported = round % 2 == 0 ? seconds : seconds * 1000 + 999;
        if (!BaseTime.isMillis(imported)) {
          imported = seconds;
        }
        Tsuid tsuid = Tsuid.of(widths, metric, uids);
        long baseTime = BaseTime.ofSeconds(seconds);
        byte[] key = layout.rowKey(tsuid, baseTime);
        String where = layout + ", round=" + round;
        assertEquals(hex(stock.rowKey("m" + metric, tags, imported)), hex(key), where);
        assertEquals(hex(stock.rowKey(tsuid.toBytes(), imported)), hex(key), where);

        assertEquals(tsuid, layout.tsuid(key), where);
        assertEquals(hex(stock.tsuid(key)), hex(layout.tsuid(key).toBytes()), where);
        assertEquals(baseTime, layout.baseTimeSeconds(key), where);
        assertEquals(stock.baseTime(key), baseTime, where);
        int bucket = layout.salt().bucket(tsuid);
        assertEquals(bucket, layout.bucket(key), where);
        assertEquals(
            hex(stock.salt(bucket)), hex(Arrays.copyOf(key, layout.salt().width())), where);
      }
    }
  }

  private static long uid(Random random, int width) {
    long max = UidRows.maxUid(width);
    return Math.max(1, (random.nextLong() & max) >>> random.nextInt(8 * width - 1));
  }

  @Test
  void makesTheKeysOfOpenTsdbWithoutSalt() throws MalformedCellException {
    checkAgainstOpenTsdb(PLAIN);
    checkAgainstOpenTsdb(new RowKeyLayout(new UidWidths(4, 4, 4), SaltFunction.NONE));
  }

  @Test
  void makesTheKeysOfOpenTsdbWithSalt() throws MalformedCellException {
    checkAgainstOpenTsdb(SALTED);
    checkAgainstOpenTsdb(new RowKeyLayout(new UidWidths(4, 4, 4), new SaltFunction(1, 20)));
    checkAgainstOpenTsdb(new RowKeyLayout(new UidWidths(3, 4, 3), new SaltFunction(2, 300)));
  }

  @Test
  void makesTheKeysOfOpenTsdbForEveryWidth() throws MalformedCellException {
    for (int width = 1; width <= 8; width++) {
      int buckets = new int[] {0, 256, 1000, 70_000, 20_000_000}[Math.min(width, 4)];
      checkAgainstOpenTsdb(
          new RowKeyLayout(
              new UidWidths(width, 9 - width, width), new SaltFunction(width, buckets)));
    }
  }

  @Test
  void spreadsSeriesOverAllBuckets() {
    int[] series = new int[4];
    for (int i = 1; i <= 4000; i++) {
      series[SALTED.salt().bucket(Tsuid.of(UidWidths.DEFAULT, 1, 1, i))]++;
    }
    for (int count : series) {
      assertTrue(count > 900, Arrays.toString(series));
    }
  }

  @Test
  void writesTheFieldsInOrder() {
    Tsuid tsuid = Tsuid.of(UidWidths.DEFAULT, 0x010203, 0x0a, 0x0b);
    assertEquals("010203" + "50e22700" + "00000a00000b", hex(PLAIN.rowKey(tsuid, 1_356_998_400)));
    assertEquals("010203" + "fffff960" + "00000a00000b", hex(PLAIN.rowKey(tsuid, 4_294_965_600L)));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.rowKey(tsuid, 1_356_998_401));
  }

  @Test
  void rejectsKeysThatHBaseWouldRefuse() {
    long[] tags = LongStream.rangeClosed(1, 2 * 5461).map(i -> (i + 1) / 2).toArray();
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> PLAIN.rowKey(Tsuid.of(UidWidths.DEFAULT, 1, tags), 0));
    assertEquals(
        "row key must have at most 32767 bytes; drop tags: length=32773", thrown.getMessage());
  }

  @Test
  void rejectsStoredKeysThatBreakTheLayout() {
    String start = "03" + "010203";
    String tag = "00000a00000b";
    MalformedCellException tooShort =
        assertThrows(
            MalformedCellException.class, () -> SALTED.tsuid(bytes(start + "50e22700" + "00000a")));
    assertEquals(
        "row key must hold a series with a tag: expected=14 or more, found=11, offset=11",
        tooShort.getMessage());
    assertThrows(MalformedCellException.class, () -> SALTED.bucket(bytes(start + "50e22700")));
    assertThrows(
        MalformedCellException.class, () -> SALTED.baseTimeSeconds(bytes(start + "50e22700")));
    assertThrows(
        MalformedCellException.class, () -> SALTED.tsuid(bytes(start + "50e22700" + tag + "00")));
    MalformedCellException halfHour =
        assertThrows(
            MalformedCellException.class,
            () -> SALTED.baseTimeSeconds(bytes(start + "50e22701" + tag)));
    assertEquals(4, halfHour.offset());
    MalformedCellException bucket =
        assertThrows(
            MalformedCellException.class,
            () -> SALTED.bucket(bytes("04" + "010203" + "50e22700" + tag)));
    assertEquals(
        "row key must start with a salt of bucket 0 to 3 on 1 bytes: bucket=4, offset=0",
        bucket.getMessage());
  }

  @Test
  void rejectsSaltsThatOpenTsdbNeverWrites() {
    RowKeyLayout wide = new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(5, 20));
    String rest = "010203" + "50e22700" + "00000a00000b";
    assertThrows(MalformedCellException.class, () -> wide.bucket(bytes("0000000007" + rest)));
    assertThrows(MalformedCellException.class, () -> wide.bucket(bytes("0780000007" + rest)));
    assertThrows(MalformedCellException.class, () -> wide.bucket(bytes("ffffffffff" + rest)));
  }

  @Test
  void scansOneMetricInOneBucketForATime() {
    byte[] start = SALTED.scanStart(3, 0x010203, 3600);
    byte[] stop = SALTED.scanStop(3, 0x010203, 7200);
    assertEquals("03" + "010203" + "00000e10", hex(start));
    assertEquals("03" + "010203" + "00001c20", hex(stop));
    assertEquals("010203" + "00000000", hex(PLAIN.scanStart(0, 0x010203, 0)));
    assertEquals("010203" + "fffff960", hex(PLAIN.scanStop(0, 0x010203, BaseTime.MAX_SECONDS)));
  }

  @Test
  void holdsEachRowBetweenStartAndStop() {
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      long metric = 1L + random.nextInt(3);
      Tsuid tsuid = Tsuid.of(UidWidths.DEFAULT, metric, 0xffffff, 0xffffff - random.nextInt(2));
      long baseTime = random.nextInt(50) * 3600L;
      byte[] key = SALTED.rowKey(tsuid, baseTime);
      int bucket = random.nextInt(4);
      long from = random.nextInt(50) * 3600L;
      long to = random.nextInt(8) == 0 ? RowKeyLayout.END_OF_TIME : random.nextInt(50) * 3600L;
      boolean wanted =
          bucket == SALTED.salt().bucket(tsuid) && metric == 2 && from <= baseTime && baseTime < to;
      boolean inside =
          Arrays.compareUnsigned(SALTED.scanStart(bucket, 2, from), key) <= 0
              && Arrays.compareUnsigned(key, SALTED.scanStop(bucket, 2, to)) < 0;
      assertEquals(wanted, inside, "round=" + i);
    }
  }

  @Test
  void stopsAfterTheLastHourOfAMetric() {
    assertEquals("010204", hex(PLAIN.scanStop(0, 0x010203, RowKeyLayout.END_OF_TIME)));
    assertEquals("0102", hex(PLAIN.scanStop(0, 0x0101ff, RowKeyLayout.END_OF_TIME)));
    assertEquals("04", hex(SALTED.scanStop(3, 0xffffff, RowKeyLayout.END_OF_TIME)));
    assertArrayEquals(new byte[0], PLAIN.scanStop(0, 0xffffff, RowKeyLayout.END_OF_TIME));
  }

  @Test
  void rejectsScansOutsideTheTable() {
    assertThrows(IllegalArgumentException.class, () -> SALTED.scanStart(4, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> SALTED.scanStart(-1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.scanStart(1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> SALTED.scanStart(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> SALTED.scanStart(0, 0x1000000, 0));
    assertThrows(
        IllegalArgumentException.class, () -> SALTED.scanStart(0, 1, RowKeyLayout.END_OF_TIME));
    assertThrows(
        IllegalArgumentException.class,
        () -> SALTED.scanStop(0, 1, RowKeyLayout.END_OF_TIME + 3600));
  }
}
