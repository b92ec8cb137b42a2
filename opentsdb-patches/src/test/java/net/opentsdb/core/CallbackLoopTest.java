package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CallbackLoopTest {
  private final AtomicInteger count = new AtomicInteger();

  @Test
  void runsMoreStepsThanADeferredTakes() throws Exception {
    Callback<Deferred<Object>, Object> step =
        nothing -> {
          count.incrementAndGet();
          return Deferred.fromResult(null);
        };
    CallbackLoop.run(Collections.nCopies(200_000, step)).join();
    assertEquals(200_000, count.get());
  }

  @Test
  void waitsForEachStep() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Callback<Deferred<Object>, Object>> steps = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int number = i;
      steps.add(
          nothing -> {
            order.add(number);
            Deferred<Object> later = new Deferred<>();
            if (number % 3 == 0) {
              later.callback(null);
            } else {
              other.execute(() -> later.callback(null));
            }
            return later;
          });
    }
    CallbackLoop.run(steps).join();
    other.shutdown();
    for (int i = 0; i < 20_000; i++) {
      assertEquals(i, order.get(i));
    }
  }

  @Test
  void endsWithTheFirstFailure() {
    IllegalStateException failure = new IllegalStateException("broken");
    Callback<Deferred<Object>, Object> good = nothing -> Deferred.fromResult(null);
    Callback<Deferred<Object>, Object> failing = nothing -> Deferred.fromError(failure);
    Callback<Deferred<Object>, Object> throwing =
        nothing -> {
          throw failure;
        };
    for (Callback<Deferred<Object>, Object> bad : List.of(failing, throwing)) {
      assertSame(
          failure,
          assertThrows(
              IllegalStateException.class,
              () -> CallbackLoop.run(List.of(good, bad, good)).join()));
    }
  }

  @Test
  void tellsAFullHeapFromAFullStack() {
    assertEquals(413, status(new OutOfMemoryError("Java heap space")));
    assertEquals(500, status(new StackOverflowError()));
    assertEquals(500, status(new InternalError()));
  }

  private static int status(VirtualMachineError error) {
    Callback<Deferred<Object>, Object> step =
        nothing -> {
          throw error;
        };
    QueryException e =
        assertThrows(QueryException.class, () -> CallbackLoop.run(List.of(step)).join());
    return e.getStatus().getCode();
  }
}
