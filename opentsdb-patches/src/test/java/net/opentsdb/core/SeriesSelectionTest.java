package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.key.SeriesBlock;
import io.packhorse.schema.key.SeriesSet;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import net.opentsdb.query.QueryUtil;
import org.hbase.async.Bytes.ByteMap;
import org.junit.jupiter.api.Test;

/** Series are selected as by the regular expression that a scan sends to HBase. */
final class SeriesSelectionTest {
  private static final UidWidths WIDTHS = UidWidths.DEFAULT;

  @Test
  void selectsWhatTheFilterOfAScanLetsPass() {
    Random random = new Random(7);
    int selected = 0;
    for (int round = 0; round < 2000; round++) {
      Set<Tsuid> series = series(random);
      SeriesSet set = SeriesSet.EMPTY;
      for (SeriesBlock block : SeriesSet.of(WIDTHS, series).blocks()) {
        set = set.with(block);
      }
      ByteMap<byte[][]> literals = literals(random);
      boolean explicit = random.nextInt(3) == 0;
      // The published method for explicit tags needs a key and a mask of a fuzzy filter.
      Pattern filter =
          Pattern.compile(
              QueryUtil.getRowKeyUIDRegex(null, literals, explicit, null, null), Pattern.DOTALL);
      TreeSet<String> expected = new TreeSet<>();
      for (Tsuid each : series) {
        String tags = hex(Arrays.copyOfRange(each.toBytes(), 3, each.length()));
        if (filter.matcher(key(each)).matches()) {
          expected.add(tags);
        }
      }
      List<byte[]> found = SeriesSelection.of(null, literals, explicit).of(set, series.size());
      TreeSet<String> actual = new TreeSet<>();
      Objects.requireNonNull(found).forEach(each -> actual.add(hex(each)));
      assertEquals(expected, actual);
      selected += actual.size();
      if (!expected.isEmpty()) {
        assertNull(SeriesSelection.of(null, literals, explicit).of(set, found.size() - 1));
      }
    }
    assertTrue(selected > 2000, "selected " + selected);
  }

  @Test
  void keysThatMustBeMissingAreLeftToTheFiltersOfRows() {
    ByteMap<byte[][]> literals = new ByteMap<>();
    literals.put(new byte[] {0, 0, 1}, new byte[0][]);
    assertTrue(SeriesSelection.of(null, literals, false).isAll());
  }

  @Test
  void seriesThatAreNamedAreSelected() {
    SeriesSelection named = SeriesSelection.of(List.of("000001000001000002"), null, false);
    assertEquals("000001000002", hex(Objects.requireNonNull(named.of(SeriesSet.EMPTY, 1)).get(0)));
    assertNull(named.of(SeriesSet.EMPTY, 0));
    assertTrue(SeriesSelection.of(List.of("0000010000"), null, false).isAll(), "no series");
  }

  private static String key(Tsuid series) {
    byte[] bytes = series.toBytes();
    byte[] key = new byte[bytes.length + Const.TIMESTAMP_BYTES];
    System.arraycopy(bytes, 0, key, 0, 3);
    System.arraycopy(bytes, 3, key, 3 + Const.TIMESTAMP_BYTES, bytes.length - 3);
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  private static ByteMap<byte[][]> literals(Random random) {
    ByteMap<byte[][]> literals = new ByteMap<>();
    for (byte key = 1; key < 5; key++) {
      if (random.nextInt(3) == 0) {
        byte[][] values = null;
        if (random.nextInt(3) > 0) {
          values = new byte[1 + random.nextInt(3)][];
          for (int i = 0; i < values.length; i++) {
            values[i] = new byte[] {0, 0, (byte) (1 + random.nextInt(4))};
          }
        }
        literals.put(new byte[] {0, 0, key}, values);
      }
    }
    return literals;
  }

  private static Set<Tsuid> series(Random random) {
    Set<Tsuid> series = new TreeSet<>();
    for (int i = random.nextInt(60); i >= 0; i--) {
      TreeSet<Long> keys = new TreeSet<>();
      for (int tag = 1 + random.nextInt(3); tag > 0; tag--) {
        keys.add(1L + random.nextInt(4));
      }
      long[] uids = keys.stream().flatMapToLong(key -> pair(key, random)).toArray();
      series.add(Tsuid.of(WIDTHS, 1, uids));
    }
    return series;
  }

  private static LongStream pair(long key, Random random) {
    return LongStream.of(key, 1 + random.nextInt(4));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
