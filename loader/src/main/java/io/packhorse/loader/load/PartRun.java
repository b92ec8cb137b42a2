package io.packhorse.loader.load;

import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.PartLedger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Works on the parts of a table, some at a time.
 *
 * @param parts row keys of each
 * @param ledger says which parts are complete already, and is told of the others; if there is one
 */
record PartRun(List<List<KeyRange>> parts, Optional<PartLedger> ledger) {
  /** Rows on their way, and a row group of Parquet. */
  private static final long HEAP_A_THREAD = 96L << 20;

  /** What is done with a part. */
  interface Work {
    /** Does everything of a part; returns counts for the ledger. */
    long[] on(int number, List<KeyRange> ranges) throws IOException, InterruptedException;
  }

  /**
   * Works on all parts that are not complete.
   *
   * @param topic of the progress line
   * @param figure how far it is, beside the parts
   * @return counts of the parts it worked on, in no order
   * @throws ExecutionException with the failure of a part; the others are stopped
   */
  List<long[]> run(Announcer announcer, String topic, Supplier<String> figure, Work work)
      throws ExecutionException, InterruptedException {
    AtomicInteger done = new AtomicInteger(ledger.map(PartLedger::completeParts).orElse(0));
    ExecutorService executor = Executors.newFixedThreadPool(threads());
    try (Announcer.Progress progress =
        announcer.progress(
            () ->
                new Announcer.Status(
                    topic,
                    (double) done.get() / Math.max(1, parts.size()),
                    OptionalDouble.empty(),
                    List.of(figure.get(), done.get() + " of " + parts.size() + " parts done")))) {
      CompletionService<long[]> running = new ExecutorCompletionService<>(executor);
      int submitted = 0;
      for (int i = 0; i < parts.size(); i++) {
        int number = i;
        if (!ledger.map(each -> each.isComplete(number)).orElse(false)) {
          running.submit(() -> complete(number, work));
          submitted++;
        }
      }
      List<long[]> counts = new ArrayList<>();
      for (int i = 0; i < submitted; i++) {
        counts.add(running.take().get());
        done.incrementAndGet();
      }
      return counts;
    } finally {
      executor.shutdownNow();
    }
  }

  private long[] complete(int number, Work work) throws IOException, InterruptedException {
    long[] counts = work.on(number, parts.get(number));
    if (ledger.isPresent()) {
      ledger.get().complete(number, counts);
    }
    return counts;
  }

  /** One for each core, but no more than the heap has room for. */
  private static int threads() {
    Runtime runtime = Runtime.getRuntime();
    long fit = runtime.maxMemory() / HEAP_A_THREAD;
    return (int) Math.max(1, Math.min(runtime.availableProcessors(), fit));
  }
}
