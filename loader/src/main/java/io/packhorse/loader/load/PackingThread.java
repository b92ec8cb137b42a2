package io.packhorse.loader.load;

import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.sink.CellSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Packs batches of points on a thread of its own, and answers for each when the cells that hold its
 * points are stored. After a failure it answers with that, at once.
 */
final class PackingThread {
  private static final int BATCHES_WAITING = 1024;
  private static final int POLL_MS = 50;
  private static final Batch END = new Batch(new PointBatch(1), 0, error -> {}, true);

  private final HourPacker packer;
  private final CellSink sink;
  private final long giveUpNanos;
  private final Function<Throwable, String> toWords;
  private final BlockingQueue<Batch> waiting = new ArrayBlockingQueue<>(BATCHES_WAITING);

  /** Packed and not stored yet. */
  private final List<Batch> packed = new ArrayList<>();

  private final Thread thread;
  private boolean ended;
  private volatile boolean failed;

  private record Batch(
      PointBatch points, long takenNanos, Consumer<String> answered, boolean isLast) {}

  /**
   * Begins.
   *
   * @param packer closed at the end, as is the sink that its cells go into
   * @param giveUpNanos after which a batch that is stored counts as one that timed out
   * @param toWords what a failure is called
   */
  PackingThread(
      int number,
      HourPacker packer,
      CellSink sink,
      long giveUpNanos,
      Function<Throwable, String> toWords) {
    this.packer = packer;
    this.sink = sink;
    this.giveUpNanos = giveUpNanos;
    this.toWords = toWords;
    thread = new Thread(this::run, "loadtest-pack-" + number);
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes a batch; waits while many are not packed yet. Any thread. */
  void take(PointBatch points, Consumer<String> answered) throws InterruptedException {
    waiting.put(new Batch(points, System.nanoTime(), answered, false));
  }

  /** Stores what was taken, and answers for it. */
  void end() throws InterruptedException {
    waiting.put(END);
    thread.join();
  }

  /** Whether something could not be stored. Any thread. */
  boolean hasFailed() {
    return failed;
  }

  private void run() {
    try {
      String error = "";
      try (sink;
          packer) {
        pack();
        packer.finish();
        sink.flush();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        failed = true;
        error = toWords.apply(e);
      }
      answer(error);
      while (!ended) {
        Batch next = waiting.take();
        ended = next.isLast();
        next.answered().accept(error);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread; it would end without answers, which count as none.
      failed = true;
      Thread.currentThread().interrupt();
    }
  }

  private void pack() throws IOException, InterruptedException {
    while (!ended) {
      long storedUntil = packer.visibleUntilMs();
      packer.passTime(System.currentTimeMillis());
      if (packer.visibleUntilMs() != storedUntil) {
        answer("");
      }
      Batch next = waiting.poll(POLL_MS, TimeUnit.MILLISECONDS);
      if (next != null) {
        packed.add(next);
        packer.accept(next.points());
        ended = next.isLast();
      }
    }
  }

  private void answer(String error) {
    long now = System.nanoTime();
    for (Batch each : packed) {
      boolean late = error.isEmpty() && now - each.takenNanos() > giveUpNanos;
      each.answered().accept(late ? "timeout" : error);
    }
    packed.clear();
  }
}
