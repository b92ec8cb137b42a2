package io.packhorse.loader.sink.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.sink.SeriesRecorder;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class PutSinkTest {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  private byte[][] regionStarts = {{}, {5}};

  /** Answers for the regions; the other connection must not. */
  private final Connection patient =
      answering(
          Connection.class,
          Map.of(
              "getRegionLocator",
              arguments ->
                  answering(RegionLocator.class, Map.of("getStartKeys", none -> regionStarts))));

  private final Connection triesOnce =
      answering(
          Connection.class,
          Map.of("getTable", arguments -> answering(Table.class, Map.of("batch", this::batch))));

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  /**
   * A load that begins while hbase:meta moves asks again; a Put is tried once, as the sink itself
   * puts it again.
   */
  @Test
  void asksForRegionsPatientlyAndPutsInOneTry() throws Exception {
    try (PutSink sink = open(triesOnce)) {
      for (int row : new int[] {7, 1, 5, 4}) {
        sink.write(cell(row));
      }
      sink.flush();
      assertEquals(40, sink.acknowledgedPoints());
    }
    Collections.sort(calls);
    assertEquals(List.of("1 4 ", "5 7 "), calls, "a call for each region, its rows sorted");
  }

  /** However many regions a table has, and however evenly they are written. */
  @Test
  void gathersAsMuchForManyRegionsAsForAFew() throws Exception {
    regionStarts = new byte[256][];
    for (int region = 1; region < regionStarts.length; region++) {
      regionStarts[region] = new byte[] {(byte) region};
    }
    regionStarts[0] = new byte[0];
    byte[] value = new byte[1 << 17];
    AtomicInteger held = new AtomicInteger();
    int most = 0;
    try (PutSink sink = open(counting(held))) {
      for (int i = 0; i < 3 * regionStarts.length; i++) {
        most = Math.max(most, held.incrementAndGet());
        sink.write(
            new CellWrite(new byte[] {(byte) i}, CellForm.PACKED, new byte[5], value, 10, 1));
      }
      sink.flush();
      assertEquals(0, held.get());
      assertEquals(30L * regionStarts.length, sink.acknowledgedPoints());
    }
    assertTrue(most * value.length < 40 << 20, "cells held back: " + most);
  }

  /** Takes what is put off a count. */
  private static Connection counting(AtomicInteger held) {
    Function<Object[], Object> batch =
        arguments -> {
          Arrays.fill((Object[]) arguments[1], Result.EMPTY_RESULT);
          return held.addAndGet(-((List<?>) arguments[0]).size());
        };
    return answering(
        Connection.class,
        Map.of("getTable", arguments -> answering(Table.class, Map.of("batch", batch))));
  }

  /** Whatever ends the thread of a call, its cells must not pass for stored. */
  @Test
  @Timeout(60)
  void isNotFlushedWhenACallRanOutOfMemory() throws Exception {
    Error outOfMemory = new OutOfMemoryError("Java heap space");
    Connection failing =
        answering(
            Connection.class,
            Map.of(
                "getTable",
                arguments ->
                    answering(
                        Table.class,
                        Map.of(
                            "batch",
                            rows -> {
                              throw outOfMemory;
                            }))));
    try (PutSink sink = open(failing)) {
      sink.write(cell(1));
      IOException failed = assertThrows(IOException.class, sink::flush);
      assertSame(outOfMemory, failed.getCause());
      assertEquals(0, sink.acknowledgedPoints());
    }
  }

  private PutSink open(Connection puts) throws IOException {
    return new PutSink(
        patient,
        puts,
        "tsdb",
        executor,
        new CallLog(),
        PutDurability.SYNC,
        Optional.empty(),
        SeriesRecorder.NONE);
  }

  private static CellWrite cell(int row) {
    return new CellWrite(new byte[] {(byte) row}, CellForm.PACKED, new byte[5], new byte[9], 10, 1);
  }

  private Object batch(Object[] arguments) {
    StringBuilder rows = new StringBuilder();
    for (Object put : (List<?>) arguments[0]) {
      rows.append(((Put) put).getRow()[0]).append(' ');
    }
    calls.add(rows.toString());
    Arrays.fill((Object[]) arguments[1], Result.EMPTY_RESULT);
    return calls;
  }

  /** Answers the named methods and close; any other fails. */
  private static <T> T answering(Class<T> type, Map<String, Function<Object[], Object>> methods) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              Function<Object[], Object> answer = methods.get(method.getName());
              if (answer == null) {
                throw new IOException("not to be asked: " + method.getName());
              }
              Object answered = answer.apply(arguments == null ? new Object[0] : arguments);
              return method.getReturnType() == void.class ? null : answered;
            }));
  }
}
