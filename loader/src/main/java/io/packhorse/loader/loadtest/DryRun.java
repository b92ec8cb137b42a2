package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Makes the requests of a load test as fast as this machine can, and sends none. */
public record DryRun(Workload workload, Protocol protocol) {
  private static final long NANOS = 5_000_000_000L;

  /**
   * What was made.
   *
   * @param seconds about five
   * @param threads that made it, one a core
   */
  public record Made(long points, long bytes, double seconds, int threads) {}

  /** Runs for five seconds. */
  public Made run() throws InterruptedException {
    Schedule schedule = Schedule.of(workload, System.currentTimeMillis());
    LongAdder points = new LongAdder();
    LongAdder bytes = new LongAdder();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() - start < NANOS) {
                  int batch = next.getAndIncrement();
                  // Text of these protocols is ASCII: a character is a byte.
                  bytes.add(TextBatches.body(workload, schedule, protocol, batch).length());
                  points.add(schedule.endSeries(batch) - schedule.firstSeries(batch));
                }
              },
              "dry-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Made(points.sum(), bytes.sum(), (System.nanoTime() - start) / 1e9, threads.size());
  }
}
