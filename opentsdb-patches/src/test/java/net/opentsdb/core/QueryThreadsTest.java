package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stumbleupon.async.Deferred;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class QueryThreadsTest {
  /** What the reader got, and where. */
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  @Test
  void manyRowsAreReadOnAnotherThread() throws Exception {
    handOff(Deferred.fromResult(Collections.nCopies(100, 1)), 0);
    assertTrue(seen.take().startsWith("100 rows, OpenTSDB Query"));
  }

  @Test
  void fewRowsStayWhereTheyArrived() throws Exception {
    handOff(Deferred.fromResult(List.of(1, 2, 3)), 0);
    assertEquals("3 rows, " + Thread.currentThread().getName(), seen.take());
  }

  @Test
  void endOfLongScanIsReadWhereItsRowsWere() throws Exception {
    handOff(Deferred.fromResult(null), 1000);
    assertTrue(seen.take().startsWith("no rows, OpenTSDB Query"));
  }

  @Test
  void failureIsPassedOn() throws Exception {
    handOff(Deferred.fromError(new IllegalStateException("region server lost")), 0);
    assertEquals("region server lost", seen.take());
  }

  @Test
  void failureOfTheReaderIsPassedOn() throws Exception {
    QueryThreads.handOff(
        Deferred.fromResult(Collections.nCopies(100, 1)),
        0,
        rows -> {
          throw new IllegalStateException("damaged");
        },
        e -> seen.add(e.getMessage()));
    assertEquals("damaged", seen.take());
  }

  @Test
  void fullHeapIsPassedOn() throws Exception {
    for (int rows : new int[] {1, 100}) {
      QueryThreads.handOff(
          Deferred.fromResult(Collections.nCopies(rows, 1)),
          0,
          arrived -> {
            throw new OutOfMemoryError("Java heap space");
          },
          e -> seen.add(e.getMessage()));
      String told = seen.poll(20, TimeUnit.SECONDS);
      assertTrue(told != null && told.contains("more memory than the TSD has left"), told);
    }
  }

  @Test
  void namesThatHaveToBeFetchedAreUsedOnAnotherThread() throws Exception {
    Deferred<Integer> names = new Deferred<>();
    QueryThreads.apart(names).addCallback(n -> seen.add(n + Thread.currentThread().getName()));
    names.callback(7);
    assertTrue(seen.take().startsWith("7OpenTSDB Query"));
  }

  @Test
  void namesThatAreThereAreUsedAtOnce() throws Exception {
    QueryThreads.apart(Deferred.fromResult(7))
        .addCallback(n -> seen.add(n + Thread.currentThread().getName()));
    assertEquals("7" + Thread.currentThread().getName(), seen.take());
  }

  @Test
  void namesThatAreMissingFail() {
    Deferred<Object> missing = Deferred.fromError(new IllegalStateException("no such UID"));
    assertThrows(IllegalStateException.class, () -> QueryThreads.apart(missing).join());
  }

  private void handOff(Deferred<List<Integer>> next, long before) {
    QueryThreads.handOff(
        next,
        before,
        rows ->
            seen.add(
                (rows == null ? "no" : rows.size()) + " rows, " + Thread.currentThread().getName()),
        e -> seen.add(e.getMessage()));
  }
}
