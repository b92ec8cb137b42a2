package net.opentsdb.core;

import static net.opentsdb.core.Cells.longs;
import static net.opentsdb.core.Cells.packed;
import static net.opentsdb.core.Cells.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import net.opentsdb.utils.ByteSet;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.GetRequest;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

/** Rows of a multi-get, as they come, and what is asked for. */
final class MultiGetTest {
  private static final long HOUR = 1_356_998_400L;

  private final TSDB tsdb = OfflineTsdb.create();

  @Test
  void damagedRowFailsTheQuery() {
    MultiGetQuery query = query();
    KeyValue good = packed(longs(3, 0, 1000, 2500), 1, 0, 10);
    byte[] half = Arrays.copyOf(good.value(), good.value().length / 2);
    KeyValue damaged = new KeyValue(good.key(), good.family(), good.qualifier(), 10, half);
    MultiGetQuery.MulGetCB rows = query.new MulGetCB(0, new ByteSet(), new ArrayList<>());
    IllegalDataException e =
        assertThrows(
            IllegalDataException.class,
            () ->
                rows.process(good.key(), new ArrayList<>(List.of(damaged, plain(longs(1, 0), 1)))));
    assertTrue(e.getMessage().contains("row key=00000150e22700000001000001"), e.getMessage());
  }

  @Test
  void packedRowPassesWithoutALimit() {
    KeyValue cell = packed(longs(3, 0, 1000), 1, 0, 10);
    MultiGetQuery.MulGetCB rows = query().new MulGetCB(0, new ByteSet(), new ArrayList<>());
    assertTrue(rows.process(cell.key(), new ArrayList<>(List.of(cell))));
  }

  @Test
  void getsAskForAllFamilies() {
    MultiGetQuery query = query();
    query.prepareConcurrentMultiGetTasks();
    List<GetRequest> gets = new ArrayList<>();
    query.getMultiGetTasks().forEach(tasks -> tasks.forEach(task -> gets.addAll(task.getGets())));
    assertEquals(2, gets.size());
    for (GetRequest get : gets) {
      assertTrue(get.toString().contains("family=null"), get.toString());
    }
  }

  private MultiGetQuery query() {
    ByteMap<byte[][]> tags = new ByteMap<>();
    tags.put(new byte[] {0, 0, 1}, new byte[][] {{0, 0, 1}});
    TreeMap<byte[], Span> spans = new TreeMap<>(new TsdbQuery.SpanCmp((short) 3));
    return new MultiGetQuery(
        tsdb,
        new TsdbQuery(tsdb),
        new byte[] {0, 0, 1},
        new ArrayList<>(List.of(tags)),
        HOUR,
        HOUR + 3600,
        tsdb.dataTable(),
        spans,
        null,
        0,
        null,
        null,
        0,
        0,
        false,
        true);
  }
}
