package io.packhorse.loader.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ShardRouterTest {
  private static final int QUEUE = 10_000;

  @Test
  void everyPointGoesOnceToTheShardOfItsSeriesInOrder() throws InterruptedException {
    for (int shards = 1; shards <= 4; shards++) {
      SplittableRandom random = new SplittableRandom(shards);
      List<List<Long>> expected = new ArrayList<>();
      List<Handoff> handoffs = new ArrayList<>();
      for (int i = 0; i < shards; i++) {
        expected.add(new ArrayList<>());
        handoffs.add(handoff(QUEUE));
      }
      ShardRouter router = new ShardRouter(handoffs, Integer.MAX_VALUE);
      PointBatch batch = new PointBatch(1);
      long value = 0;
      for (int i = 0; i < 50; i++) {
        batch.clear();
        for (int j = 0; j < 2000; j++) {
          int series = random.nextInt(1 + i % 9);
          batch.add(series, j, value, false);
          expected.get(series % shards).add(value);
          value++;
        }
        router.route(batch);
      }
      router.end();
      for (int shard = 0; shard < shards; shard++) {
        assertEquals(expected.get(shard), received(handoffs.get(shard), shard, shards));
      }
    }
  }

  @Test
  void aLimitKeepsBatchesShortAndAFullQueueHoldsTheReaderBack() throws InterruptedException {
    Handoff handoff = handoff(11);
    ShardRouter router = new ShardRouter(List.of(handoff), 10);
    PointBatch batch = new PointBatch(1);
    for (int i = 0; i < 105; i++) {
      batch.add(i, i, i, false);
    }
    router.route(batch);
    Thread reader = new Thread(() -> routeAll(router, batch));
    reader.start();
    List<Integer> lengths = new ArrayList<>();
    while (lengths.stream().mapToInt(each -> each).sum() < 210) {
      lengths.add(Objects.requireNonNull(Objects.requireNonNull(handoff.next()).batch()).points());
    }
    reader.join();
    assertEquals(Collections.nCopies(21, 10), lengths);
  }

  private static void routeAll(ShardRouter router, PointBatch batch) {
    try {
      router.route(batch);
      router.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anEndWithoutPointsEndsEveryShard() throws InterruptedException {
    List<Handoff> handoffs = List.of(handoff(1), handoff(1), handoff(1));
    new ShardRouter(handoffs, Integer.MAX_VALUE).end();
    for (Handoff handoff : handoffs) {
      assertEquals(null, handoff.next());
    }
  }

  private static Handoff handoff(int steps) {
    return new Handoff(steps, new CountDownLatch(1));
  }

  private static List<Long> received(Handoff handoff, int shard, int shards)
      throws InterruptedException {
    List<Long> values = new ArrayList<>();
    for (ShardInput.Step step = handoff.next(); step != null; step = handoff.next()) {
      PointBatch batch = Objects.requireNonNull(step.batch());
      assertTrue(batch.points() > 0, "no empty batches");
      for (int run = 0; run < batch.runs(); run++) {
        assertEquals(shard, batch.series(run) % shards);
      }
      for (int i = 0; i < batch.points(); i++) {
        values.add(batch.bits()[i]);
      }
    }
    return values;
  }
}
