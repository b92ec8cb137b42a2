package net.opentsdb.core;

import static net.opentsdb.core.Cells.longs;
import static net.opentsdb.core.Cells.packed;
import static net.opentsdb.core.Cells.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.query.filter.TagVFilter;
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

  @Test
  void aQueryThatDeletesScans() throws Exception {
    assertTrue(goesByMultiGets(false));
    assertFalse(goesByMultiGets(true));
  }

  private static boolean goesByMultiGets(boolean delete) throws Exception {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("walk");
    sub.setExplicitTags(true);
    sub.setFilters(
        new ArrayList<>(
            List.of(
                new TagVFilter.Builder()
                    .setType("literal_or")
                    .setTagk("sensor")
                    .setFilter("s1")
                    .build())));
    TSQuery request = new TSQuery();
    request.setStart(String.valueOf(HOUR));
    request.setEnd(String.valueOf(HOUR + 3600));
    request.setDelete(delete);
    request.setQueries(new ArrayList<>(List.of(sub)));
    request.validateAndSetQuery();
    TSDB tsdb = OfflineTsdb.create(Map.of("tsd.query.multi_get.enable", "true"));
    TsdbQuery query = new TsdbQuery(tsdb);
    query.configureFromQuery(request, 0).join();
    Field choice = TsdbQuery.class.getDeclaredField("use_multi_gets");
    choice.setAccessible(true);
    return choice.getBoolean(query);
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
