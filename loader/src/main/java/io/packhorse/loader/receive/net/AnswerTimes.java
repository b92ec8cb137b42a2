package io.packhorse.loader.receive.net;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts answers by the time from the end of the request to the answer, as a histogram of
 * Prometheus. Any number of threads.
 */
public final class AnswerTimes {
  private static final double[] BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
  private final LongAdder nanos = new LongAdder();

  void add(long ofNanos) {
    double seconds = (double) ofNanos / TimeUnit.SECONDS.toNanos(1);
    int bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
      bucket++;
    }
    counts.incrementAndGet(bucket);
    nanos.add(ofNanos);
  }

  /**
   * The samples in Prometheus' text format.
   *
   * @param name of the metric
   */
  public String samples(String name) {
    StringBuilder text = new StringBuilder();
    long sum = 0;
    for (int bucket = 0; bucket < counts.length(); bucket++) {
      sum += counts.get(bucket);
      Object bound = bucket < BOUNDS.length ? BOUNDS[bucket] : "+Inf";
      text.append(String.format(Locale.ROOT, "%s_bucket{le=\"%s\"} %d\n", name, bound, sum));
    }
    double seconds = (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1);
    text.append(name).append("_sum ").append(seconds).append('\n');
    return text.append(name).append("_count ").append(sum).append('\n').toString();
  }
}
