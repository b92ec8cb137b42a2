package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import net.opentsdb.core.QueryMemory;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that hang in a call to HBase. */
@Timeout(60)
final class BlockingRequestsTest {
  private static final int AT_ONCE = 16;

  private final BlockingRequests requests = new BlockingRequests();
  private final CountDownLatch hbaseIsBack = new CountDownLatch(1);

  @Test
  void onesThatWereAnsweredMakeRoom() throws Exception {
    List<AnsweredOnce> hanging = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      hanging.add(start(hbaseIsBack::await));
    }
    CountDownLatch others = new CountDownLatch(1);
    AtomicInteger carriedOut = new AtomicInteger();
    AnsweredOnce first = start(carriedOut::incrementAndGet);
    start(others::countDown);
    first.begin(null, HttpResponseStatus.GATEWAY_TIMEOUT); // 504 before its turn
    for (AnsweredOnce answer : hanging) {
      answer.begin(null, HttpResponseStatus.GATEWAY_TIMEOUT); // 504
    }
    others.await();
    assertEquals(0, carriedOut.get(), "nobody waits for it");
    hbaseIsBack.countDown();
  }

  @Test
  void goOnOnceHbaseIsBack() throws Exception {
    CountDownLatch all = new CountDownLatch(3 * AT_ONCE);
    for (int i = 0; i < 3 * AT_ONCE; i++) {
      start(
          () -> {
            hbaseIsBack.await();
            all.countDown();
          });
    }
    hbaseIsBack.countDown();
    all.await();
  }

  @Test
  void whatTheyHoldCountsUntilTheAnswer() throws Exception {
    long before = QueryMemory.used();
    CountDownLatch held = new CountDownLatch(1);
    AnsweredOnce answered =
        start(
            () -> {
              QueryMemory.list(1_000).add("a series");
              held.countDown();
              hbaseIsBack.await();
            });
    held.await();
    assertEquals(before + 1_000, QueryMemory.used());
    answered.begin(null, HttpResponseStatus.OK);
    assertEquals(before, QueryMemory.used());
    hbaseIsBack.countDown();
  }

  private AnsweredOnce start(BlockingRequests.Work work) throws Exception {
    AnsweredOnce answered = new AnsweredOnce();
    // None of these reads the request.
    requests.execute(null, "api/suggest", (tsdb, query) -> runUnchecked(work), null, answered);
    return answered;
  }

  private static void runUnchecked(BlockingRequests.Work work) {
    try {
      work.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
