package io.packhorse.loader.receive.net;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a server has seen so far. Any number of threads. */
public final class ServerCounts {
  private final ConcurrentMap<String, LongAdder> answers = new ConcurrentHashMap<>();
  private final AnswerTimes answerTimes = new AnswerTimes();
  private final LongAdder refusedConnections = new LongAdder();
  private final LongAdder timedOutConnections = new LongAdder();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger inWork = new AtomicInteger();

  /** Counts an answer of a protocol, such as {@code put}. */
  void answered(String protocol, int status) {
    answers.computeIfAbsent(protocol + " " + status, key -> new LongAdder()).increment();
  }

  /** Counts a connection that was closed because there were too many. */
  void refuse() {
    refusedConnections.increment();
  }

  /** Counts a connection that was closed because nothing whole came from it in time. */
  void timeOut() {
    timedOutConnections.increment();
  }

  /** Counts a connection; false if there are too many. */
  boolean connect(int max) {
    return connections.incrementAndGet() <= max;
  }

  void disconnect() {
    connections.decrementAndGet();
  }

  void begin() {
    inWork.incrementAndGet();
  }

  void end() {
    inWork.decrementAndGet();
  }

  /** Requests being answered. */
  int inWork() {
    return inWork.get();
  }

  /** Open connections. */
  public int connections() {
    return connections.get();
  }

  /** Connections closed at once because there were too many. */
  public long refusedConnections() {
    return refusedConnections.sum();
  }

  /** Connections closed because they were silent, or a request did not arrive in time. */
  public long timedOutConnections() {
    return timedOutConnections.sum();
  }

  /** How long HTTP clients that sent points waited for an answer. */
  public AnswerTimes answerTimes() {
    return answerTimes;
  }

  /** Number of answers by protocol, a space, and status. */
  public SortedMap<String, Long> answers() {
    SortedMap<String, Long> now = new TreeMap<>();
    answers.forEach((key, count) -> now.put(key, count.sum()));
    return now;
  }
}
