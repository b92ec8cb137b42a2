package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.SinkContext;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a load test that packs hears of its points. */
@Timeout(60)
final class PackingThreadTest {
  private static final Tsuid SERIES = Tsuid.of(UidWidths.DEFAULT, 1, 1, 1);

  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Memory memory = new Memory();

  /** Counts cells that are sent, and fails when it is told. */
  private static final class Memory implements CellSink {
    private final AtomicInteger sent = new AtomicInteger();
    private int held;
    private volatile String fault = "";

    @Override
    public void write(CellWrite cell) {
      held++;
    }

    @Override
    public void flush() throws IOException {
      if (!fault.isEmpty()) {
        throw new IOException(fault);
      }
      sent.set(held);
    }

    @Override
    public long acknowledgedPoints() {
      return sent.get();
    }

    @Override
    public void close() {}
  }

  private PackingThread begin(int visibleSeconds, long giveUpNanos) {
    HourPacker packer =
        new HourPacker(
            CellForm.PACKED,
            Destination.DEFAULT_ROW_KEYS,
            series -> SERIES,
            SealPolicy.live(visibleSeconds),
            new SinkContext(
                memory, Optional.empty(), () -> new LoaderId(1, 0), () -> Path.of("none")));
    return new PackingThread(0, packer, memory, giveUpNanos, e -> "not stored: " + e.getMessage());
  }

  private static PointBatch point(int value) {
    PointBatch batch = new PointBatch(1);
    batch.add(0, System.currentTimeMillis(), value, false);
    return batch;
  }

  /** The answer comes with the cell of the hour that is still open, and not before. */
  @Test
  void anAnswerMeansThatTheCellIsStored() throws Exception {
    PackingThread thread = begin(4, Long.MAX_VALUE);
    thread.take(point(1), error -> answers.add(error + " with " + memory.sent.get() + " cells"));
    assertEquals(" with 1 cells", answers.poll(20, TimeUnit.SECONDS));
    thread.take(point(2), error -> answers.add(error + " with " + memory.sent.get() + " cells"));
    assertEquals(null, answers.poll(100, TimeUnit.MILLISECONDS));
    thread.end();
    assertEquals(" with 2 cells", answers.poll(0, TimeUnit.SECONDS));
    assertFalse(thread.hasFailed());
  }

  @Test
  void whatIsStoredTooLateHasTimedOut() throws Exception {
    PackingThread thread = begin(3600, 1);
    thread.take(point(1), answers::add);
    thread.end();
    assertEquals(List.of("timeout"), List.copyOf(answers));
  }

  /** HBase fails for good: what waits, what comes later and the end are answered all the same. */
  @Test
  void aFailureIsTheAnswerOfAll() throws Exception {
    memory.fault = "away";
    PackingThread thread = begin(1, Long.MAX_VALUE);
    thread.take(point(1), answers::add);
    assertEquals("not stored: away", answers.poll(20, TimeUnit.SECONDS));
    for (int i = 0; i < 3_000; i++) {
      thread.take(point(2), answers::add);
    }
    thread.end();
    assertEquals(3_000, answers.size());
    assertTrue(answers.stream().allMatch("not stored: away"::equals));
    assertTrue(thread.hasFailed());
  }

  /** The last cells may fail too. */
  @Test
  void aFailureAtTheEndIsTheAnswer() throws Exception {
    PackingThread thread = begin(3600, Long.MAX_VALUE);
    TimeUnit.MILLISECONDS.sleep(200);
    memory.fault = "away";
    thread.take(point(1), answers::add);
    thread.end();
    assertEquals(List.of("not stored: away"), List.copyOf(answers));
  }
}
