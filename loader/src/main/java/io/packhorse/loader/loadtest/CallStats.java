package io.packhorse.loader.loadtest;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What calls of one kind did, from a moment on. The response time runs from when a call was
 * intended, the service time from when it was sent. Any number of threads.
 */
final class CallStats {
  private static final long MICROS_MAX = 3_600_000_000L;
  private static final int DIGITS = 3;

  private final String name;
  private final Recorder response = new Recorder(MICROS_MAX, DIGITS);
  private final Recorder service = new Recorder(MICROS_MAX, DIGITS);
  private final Recorder lag = new Recorder(MICROS_MAX, DIGITS);
  private final Histogram responses = new Histogram(MICROS_MAX, DIGITS);
  private final Histogram services = new Histogram(MICROS_MAX, DIGITS);
  private final Histogram lags = new Histogram(MICROS_MAX, DIGITS);
  private final LongAdder intended = new LongAdder();
  private final LongAdder done = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

  /** Times of the calls of one interval, in microseconds. */
  record Interval(Histogram response, Histogram service) {}

  CallStats(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /**
   * Counts a call that has ended.
   *
   * @param units points or queries
   * @param free when its thread was ready for it
   * @param error kind of it; empty for none
   */
  void ended(int units, long intendedNanos, long free, long sent, long end, String error) {
    intended.add(units);
    response.recordValue(micros(end - intendedNanos));
    service.recordValue(micros(end - sent));
    lag.recordValue(micros(sent - Math.max(intendedNanos, free)));
    if (error.isEmpty()) {
      done.add(units);
    } else {
      errors.computeIfAbsent(error, none -> new LongAdder()).add(units);
    }
  }

  /** Counts a call that was not sent, because it was too late for it. */
  void dropped(int units) {
    intended.add(units);
    dropped.add(units);
  }

  private static long micros(long nanos) {
    return Math.max(0, Math.min(MICROS_MAX, nanos / 1000));
  }

  /** Times since the last call of this method. */
  synchronized Interval sinceLast() {
    Histogram ofResponse = response.getIntervalHistogram();
    Histogram ofService = service.getIntervalHistogram();
    responses.add(ofResponse);
    services.add(ofService);
    lags.add(lag.getIntervalHistogram());
    return new Interval(ofResponse, ofService);
  }

  /** Points or queries that were to be sent. */
  long intended() {
    return intended.sum();
  }

  /** Those that were answered without an error. */
  long done() {
    return done.sum();
  }

  /** Those that were not sent. */
  long dropped() {
    return dropped.sum();
  }

  /** Those with an error, by its kind. */
  Map<String, Long> errors() {
    Map<String, Long> counts = new TreeMap<>();
    errors.forEach((kind, count) -> counts.put(kind, count.sum()));
    return counts;
  }

  /** Response times up to the last {@link #sinceLast}; a copy. */
  synchronized Histogram responses() {
    return responses.copy();
  }

  /** Service times, in the same way. */
  synchronized Histogram services() {
    return services.copy();
  }

  /** How late the generator itself was, in the same way. */
  synchronized Histogram lags() {
    return lags.copy();
  }

  /** A figure that a limit is set for: milliseconds, or a share. */
  double figure(Limit limit) {
    if (limit.isTime()) {
      Histogram times = limit.isService() ? services() : responses();
      return times.getValueAtPercentile(limit.percentile()) / 1000.0;
    }
    long all = Math.max(1, intended());
    return switch (limit.figure()) {
      case "errors" -> (double) errors().values().stream().mapToLong(Long::longValue).sum() / all;
      case "dropped" -> (double) dropped() / all;
      default -> (double) done() / all;
    };
  }
}
