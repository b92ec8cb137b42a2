package io.packhorse.loader.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HandoffTest {
  private final Handoff handoff = new Handoff(2, new CountDownLatch(1));
  private final PointBatch one = new PointBatch(1);
  private final PointBatch two = new PointBatch(1);

  @Test
  void givesBatchesInOrderThenTheEnd() throws InterruptedException {
    handoff.put(one);
    handoff.put(two);
    assertSame(one, nextBatch());
    handoff.end();
    assertSame(two, nextBatch());
    assertNull(handoff.next());
  }

  @Test
  void anEmptyBatchIsNotTheEnd() throws InterruptedException {
    handoff.put(new PointBatch(1));
    PointBatch batch = nextBatch();
    assertTrue(batch != null && batch.points() == 0);
  }

  @Test
  void blocksWhileFull() throws InterruptedException {
    handoff.put(one);
    handoff.put(one);
    CountDownLatch through = new CountDownLatch(1);
    Thread reader = reader(through);
    awaitWaiting(reader);
    assertEquals(1, through.getCount());
    assertSame(one, nextBatch());
    assertTrue(through.await(10, TimeUnit.SECONDS));
    reader.join();
  }

  @Test
  void closingFreesAReaderThatWaits() throws InterruptedException {
    handoff.put(one);
    handoff.put(one);
    CountDownLatch through = new CountDownLatch(1);
    Thread reader = reader(through);
    awaitWaiting(reader);
    handoff.close();
    assertTrue(through.await(10, TimeUnit.SECONDS));
    reader.join();
  }

  @Test
  void afterClosingNothingBlocks() throws InterruptedException {
    handoff.close();
    for (int i = 0; i < 10; i++) {
      handoff.put(one);
    }
    handoff.end();
    assertFalse(Thread.currentThread().isInterrupted());
  }

  private @Nullable PointBatch nextBatch() throws InterruptedException {
    ShardInput.Step step = handoff.next();
    return step == null ? null : step.batch();
  }

  private Thread reader(CountDownLatch through) {
    Thread reader =
        new Thread(
            () -> {
              try {
                handoff.put(two);
                through.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    reader.start();
    return reader;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
