package io.packhorse.loader.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CurrentIntakeTest {
  private static final int THREADS = 4;
  private static final int BODIES = 500;
  private static final int INTAKES = 10;
  private static final SourceSpec SPEC =
      new SourceSpec(
          Optional.empty(),
          Optional.empty(),
          SeriesRules.NONE,
          TableOptions.NONE,
          new FieldRules(true, true));

  @TempDir private Path folder = Path.of("");

  /** Every body is taken by one intake, and none is refused, however often that is replaced. */
  @Test
  void noBodyIsLostOrRefusedWhileIntakesAreReplaced() throws Exception {
    List<Intake> all = new ArrayList<>();
    all.add(intake(0));
    CurrentIntake current = new CurrentIntake(all.get(0));
    AtomicInteger taken = new AtomicInteger();
    CountDownLatch durable = new CountDownLatch(THREADS * BODIES);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Void> client =
          () -> {
            for (int i = 0; i < BODIES; i++) {
              taken.addAndGet(current.take(body("m,h=a v=1i " + (1_704_067_200 + i))).points());
              current.whenDurable(
                  failure -> {
                    if (failure == null) {
                      durable.countDown();
                    }
                  });
            }
            return null;
          };
      List<Future<Void>> clients = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        clients.add(threads.submit(client));
      }
      for (int i = 1; i < INTAKES; i++) {
        while (taken.get() < i * THREADS * BODIES / INTAKES) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        all.add(intake(i));
        current.replaceBy(all.get(i));
      }
      for (Future<Void> each : clients) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    durable.await();
    current.end();
    assertEquals(THREADS * BODIES, taken.get());
    assertEquals(THREADS * BODIES, current.points());
    int stored = 0;
    for (Intake each : all) {
      stored += points(each);
      each.close();
    }
    assertEquals(THREADS * BODIES, stored);
    assertEquals(
        Why.ENDED,
        assertThrows(RefusedBodyException.class, () -> current.take(body("m,h=a v=1i 1704067200")))
            .why());
  }

  private static int points(Intake intake) throws Exception {
    int points = 0;
    try (LogSource source = intake.source(new SeriesNames(), 0, Rejects.counted())) {
      for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
        points += batch.points();
      }
    }
    return points;
  }

  private Intake intake(int number) throws IOException {
    return new Intake(
        SegmentLog.open(folder.resolve("log" + number), 1 << 16, 1 << 24),
        SPEC,
        new Intake.Limits(1 << 20, 1000, 3_600_000));
  }

  private static ReceivedBody body(String line) {
    return new ReceivedBody(
        BodyFormat.LINES_S,
        BodyEncoding.PLAIN,
        1_704_067_200_000L,
        "test",
        line.getBytes(StandardCharsets.US_ASCII));
  }
}
