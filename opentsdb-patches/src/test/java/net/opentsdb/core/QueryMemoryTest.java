package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.opentsdb.query.expression.PostAggregatedDataPoints;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

final class QueryMemoryTest {
  private static final byte[] BYTES = new byte[100];

  @Test
  void refusesWhatAllQueriesTogetherCannotHold() {
    QueryMemory first = new QueryMemory();
    QueryMemory second = new QueryMemory();
    long before = QueryMemory.used();
    long free = QueryMemory.limit() - before;
    first.add(free / 2);
    QueryException e = assertThrows(QueryException.class, () -> second.add(free / 2 + 10));
    assertEquals(413, e.getStatus().getCode());
    assertTrue(e.getMessage().contains("shorter time range"), e.getMessage());
    second.close();
    first.add(free / 4);
    first.close();
    assertEquals(before, QueryMemory.used());
  }

  @Test
  void endsWorkForAnAnsweredQuery() {
    QueryMemory memory = new QueryMemory();
    long before = QueryMemory.used();
    memory.add(1000);
    memory.close();
    assertThrows(QueryException.class, () -> memory.add(1));
    memory.close();
    assertEquals(before, QueryMemory.used());
  }

  @Test
  void countsRows() {
    QueryMemory memory = new QueryMemory();
    long before = QueryMemory.used();
    List<KeyValue> rows = QueryMemory.rows(memory);
    KeyValue row = new KeyValue(BYTES, new byte[] {'t'}, new byte[2], BYTES);
    rows.add(row);
    rows.add(row);
    assertEquals(2 * (QueryMemory.CELL_OVERHEAD + 202), QueryMemory.used() - before);
    assertEquals(List.of(row, row), new ArrayList<>(rows));
    rows.clear();
    assertTrue(rows.isEmpty());
    memory.close();
  }

  @Test
  void tellsWhenTheQueryHasBeenAnswered() {
    QueryMemory memory = new QueryMemory();
    AtomicInteger told = new AtomicInteger();
    QueryMemory.rows(memory).atEnd(told::incrementAndGet);
    assertEquals(0, told.get());
    memory.close();
    memory.close();
    assertEquals(1, told.get());
    QueryMemory.rows(memory).atEnd(told::incrementAndGet);
    assertEquals(2, told.get());
  }

  @Test
  void countsCopiesAndLists() throws Exception {
    QueryMemory memory = new QueryMemory();
    long before = QueryMemory.used();
    TSDB tsdb = OfflineTsdb.create();
    memory
        .counting(
            ignored -> {
              new PostAggregatedDataPoints(new Span(tsdb), new DataPoint[3]);
              QueryMemory.list(1_000).add("a series");
              return ignored;
            })
        .call("");
    assertEquals(3 * QueryMemory.COPIED_POINT + 1_000, QueryMemory.used() - before);
    memory.close();
    assertEquals(before, QueryMemory.used());
  }

  @Test
  void aLookupThatFindsTooMuchIsRefused() {
    QueryMemory memory = new QueryMemory();
    int aMegabyte = 1 << 20;
    try {
      QueryException e =
          assertThrows(
              QueryException.class,
              () ->
                  memory
                      .counting(
                          ignored -> {
                            List<Integer> found = QueryMemory.list(aMegabyte);
                            for (int i = 0; i <= QueryMemory.limit() / aMegabyte; i++) {
                              found.add(i);
                            }
                            return ignored;
                          })
                      .call(""));
      assertEquals(413, e.getStatus().getCode());
    } finally {
      memory.close();
    }
  }

  @Test
  void countsNothingWithoutAQuery() {
    long before = QueryMemory.used();
    List<KeyValue> rows = QueryMemory.rows(null);
    rows.add(new KeyValue(BYTES, new byte[] {'t'}, new byte[2], BYTES));
    assertEquals(before, QueryMemory.used());
    assertEquals(1, rows.size());
  }

  @Test
  void countsTheHoursDecodedForAGroup() throws Exception {
    TSDB tsdb = OfflineTsdb.create();
    List<Span> spans = new ArrayList<>();
    for (int series = 0; series < 3; series++) {
      Span span = new Span(tsdb);
      span.addRow(Cells.packed(Cells.longs(5, 0, 1000, 2000), 1, 0, 10));
      spans.add(span);
    }
    QueryMemory memory = new QueryMemory();
    long before = QueryMemory.used();
    for (int again = 0; again < 2; again++) {
      memory
          .counting(
              ignored ->
                  HourAggregation.of(spans, 0, Long.MAX_VALUE, Aggregators.SUM, null, true, null))
          .call(null);
      assertEquals(3 * 3 * PackedRowSeq.DECODED_POINT_BYTES, QueryMemory.used() - before);
    }
    memory.close();
    assertEquals(before, QueryMemory.used());
  }
}
