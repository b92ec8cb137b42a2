package net.opentsdb.utils;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/**
 * A logger that passes {@value #PER_SECOND} warnings and errors a second and counts the others, for
 * messages that a client can cause by the million. Other levels are passed unchanged. Any thread.
 */
@NullMarked
public final class LimitedLogger {
  static final int PER_SECOND = 10;

  private final Logger target;
  private final AtomicLong second = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  private LimitedLogger(Logger target) {
    this.target = target;
  }

  /** The logger, limited. */
  public static Logger of(Logger target) {
    LimitedLogger limited = new LimitedLogger(target);
    return (Logger)
        Proxy.newProxyInstance(
            LimitedLogger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if ((name.equals("warn") || name.equals("error"))
                  && !limited.passes(System.nanoTime() / 1_000_000_000)) {
                return null;
              }
              try {
                return method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  private boolean passes(long now) {
    long before = second.get();
    if (now != before && second.compareAndSet(before, now)) {
      passed.set(0);
      long left = dropped.getAndSet(0);
      if (left > 0) {
        target.warn("{} more messages of the last seconds are left out", left);
      }
    }
    if (passed.incrementAndGet() <= PER_SECOND) {
      return true;
    }
    dropped.incrementAndGet();
    return false;
  }
}
