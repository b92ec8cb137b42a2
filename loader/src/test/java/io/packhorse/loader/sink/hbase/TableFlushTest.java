package io.packhorse.loader.sink.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TableFlushTest {
  private List<String> servers = List.of("a,1,1");
  private final AtomicInteger flushes = new AtomicInteger();
  private Optional<TableFlush> shared = Optional.empty();

  @Test
  void flushesAtEachCallAsLongAsTheServersAreTheSame() throws Exception {
    TableFlush flush = new TableFlush(flushes::incrementAndGet, () -> servers);
    flush.run();
    flush.run();
    assertEquals(2, flushes.get());
  }

  @Test
  void failsForGoodWhenAServerWasStartedAgain() throws Exception {
    TableFlush flush = new TableFlush(flushes::incrementAndGet, () -> servers);
    flush.run();
    servers = List.of("a,1,2");
    IOException said = assertThrows(IOException.class, flush::run);
    assertTrue(String.valueOf(said.getMessage()).contains("[a,1,1], now [a,1,2]"), said::toString);
    servers = List.of("a,1,1");
    assertThrows(IOException.class, flush::run);
  }

  @Test
  void callsDuringAFlushShareTheNextOne() throws Exception {
    List<Thread> others = new ArrayList<>();
    TableFlush flush =
        new TableFlush(
            () -> {
              if (flushes.incrementAndGet() == 1) {
                startAndAwaitBlocked(shared.orElseThrow(), others);
              }
            },
            () -> servers);
    shared = Optional.of(flush);
    flush.run();
    for (Thread other : others) {
      other.join();
    }
    assertEquals(2, flushes.get());
  }

  @Test
  void refusesMastersThatSkipARegionWhichIsBeingFlushed() throws Exception {
    for (String version : List.of("2.4.18", "2.5.13-hadoop3")) {
      IOException said =
          assertThrows(IOException.class, () -> TableFlush.requireSince(version), version);
      assertTrue(String.valueOf(said.getMessage()).endsWith(version), said::toString);
    }
    for (String version : List.of("2.6.0", "2.6.0-hadoop3", "2.6.4", "3.0.0-beta-1")) {
      TableFlush.requireSince(version);
    }
  }

  private static void startAndAwaitBlocked(TableFlush flush, List<Thread> others) {
    for (int i = 0; i < 3; i++) {
      Thread other =
          new Thread(
              () -> {
                try {
                  flush.run();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      others.add(other);
      other.start();
    }
    while (others.stream().anyMatch(other -> other.getState() != Thread.State.BLOCKED)) {
      Thread.onSpinWait();
    }
  }
}
