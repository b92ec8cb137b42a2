package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A sink into memory that holds cells back, sends them in batches of random size, takes its time
 * over it and fails when its plan says. Everything follows from the seed.
 *
 * <p>Like a real store it may keep cells of a call that it answers with an error.
 */
public final class FaultySink implements CellSink {
  /** Where a sink fails. */
  public enum Fault {
    NEVER,
    /** Before anything of a call is stored. */
    BEFORE_STORING,
    /** When all of a call is stored and nothing acknowledged. */
    BEFORE_ACKNOWLEDGING,
    /** When half of a call is stored and acknowledged. */
    HALF_WAY,
    /** In the flush at the end, with everything stored. */
    AT_FLUSH,
    AT_CLOSE
  }

  /** What all sinks of a load store into, and what they complain about. Any number of threads. */
  public static final class Store {
    private final Map<String, CellWrite> cells = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private int failures;
    private int opened;
    private int closed;

    private synchronized void put(CellWrite cell) {
      String address =
          HexFormat.of().formatHex(cell.rowKey())
              + " "
              + cell.form()
              + " "
              + HexFormat.of().formatHex(cell.qualifier());
      if (cells.put(address, cell) != null) {
        complaints.add("written twice: " + address);
      }
    }

    private synchronized void complain(String sentence) {
      complaints.add(sentence);
    }

    private synchronized IOException failed(Fault fault) {
      failures++;
      return new IOException("fault " + fault);
    }

    /** Every cell stored, acknowledged or not. */
    public synchronized List<CellWrite> cells() {
      return List.copyOf(cells.values());
    }

    /** Broken promises of those who used the sinks. */
    public synchronized List<String> complaints() {
      return List.copyOf(complaints);
    }

    /** Points of every cell stored. */
    public synchronized long storedPoints() {
      return cells.values().stream().mapToLong(CellWrite::points).sum();
    }

    /** Points acknowledged over all sinks. */
    public long acknowledgedPoints() {
      return acknowledged.get();
    }

    /** Faults that happened. */
    public synchronized int failures() {
      return failures;
    }

    /** Sinks opened and not closed. */
    public synchronized int open() {
      return opened - closed;
    }
  }

  private final Store store;
  private final Fault fault;
  private final int failingCall;
  private final int cellsPerCall;
  private final boolean slow;
  private final SplittableRandom random;
  private final AtomicLong acknowledged = new AtomicLong();
  private final List<CellWrite> held = new ArrayList<>();
  private int calls;
  private boolean failed;
  private boolean interrupted;
  private boolean closed;

  /**
   * @param failingCall number of the call that fails, from 1; for the faults of a call
   */
  public FaultySink(Store store, Fault fault, int failingCall, boolean slow, long seed) {
    this.store = store;
    this.fault = fault;
    this.failingCall = failingCall;
    this.slow = slow;
    this.random = new SplittableRandom(seed);
    this.cellsPerCall = 1 + random.nextInt(6);
    synchronized (store) {
      store.opened++;
    }
  }

  @Override
  public void write(CellWrite cell) throws IOException, InterruptedException {
    if (failed || closed) {
      store.complain("cell given to a sink that has " + (closed ? "been closed" : "failed"));
    }
    held.add(cell);
    if (held.size() >= cellsPerCall) {
      send();
    }
  }

  private void send() throws IOException, InterruptedException {
    calls++;
    delay();
    boolean now = calls == failingCall;
    if (now && fault == Fault.BEFORE_STORING) {
      throw fail();
    }
    int half = held.size() / 2;
    for (int i = 0; i < held.size(); i++) {
      if (now && fault == Fault.HALF_WAY && i == half) {
        acknowledge(half);
        throw fail();
      }
      store.put(held.get(i));
    }
    if (now && fault == Fault.BEFORE_ACKNOWLEDGING) {
      throw fail();
    }
    acknowledge(held.size());
    held.clear();
  }

  private void acknowledge(int cells) {
    for (CellWrite cell : held.subList(0, cells)) {
      acknowledged.addAndGet(cell.points());
      store.acknowledged.addAndGet(cell.points());
    }
  }

  private IOException fail() {
    failed = true;
    return store.failed(fault);
  }

  private void delay() throws InterruptedException {
    if (slow) {
      long until = System.nanoTime() + random.nextInt(200_000);
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
    }
    if (Thread.interrupted()) {
      interrupted = true;
      throw new InterruptedException("interrupted while sending");
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    if (!held.isEmpty()) {
      send();
    }
    if (fault == Fault.AT_FLUSH) {
      throw fail();
    }
  }

  @Override
  public long acknowledgedPoints() {
    return acknowledged.get();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      store.complain("closed twice");
      return;
    }
    closed = true;
    synchronized (store) {
      store.closed++;
      if (!held.isEmpty() && store.failures == 0 && !interrupted) {
        store.complaints.add("closed with " + held.size() + " cells not flushed");
      }
    }
    if (fault == Fault.AT_CLOSE) {
      throw fail();
    }
  }
}
