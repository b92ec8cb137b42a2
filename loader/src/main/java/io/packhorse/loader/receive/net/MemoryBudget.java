package io.packhorse.loader.receive.net;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of all requests that are in memory. Thread-safe. */
final class MemoryBudget {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  MemoryBudget(long max) {
    this.max = max;
  }

  /** Reserves bytes; false if they do not fit. */
  boolean reserve(long bytes) {
    if (used.addAndGet(bytes) <= max) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  long used() {
    return used.get();
  }
}
