package io.packhorse.loader.hbase;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.NotServingRegionException;

/**
 * Repeats reads while no server has the region, because it is moving or being split. Any thread.
 */
public final class PatientRead {
  /** How long a region may be without a server. */
  private static final Duration UNSERVED_MAX = Duration.ofMinutes(5);

  private PatientRead() {}

  /** A read that may be repeated. */
  public interface Read<T> {
    T get() throws IOException;
  }

  /** Reads until the region is served; HBase's client tries for half a minute each time. */
  public static <T> T of(Read<T> read) throws IOException {
    long deadline = System.nanoTime() + UNSERVED_MAX.toNanos();
    while (true) {
      try {
        return read.get();
      } catch (IOException e) {
        if (!isUnserved(e) || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Whether servers answer, but none serves the region. */
  private static boolean isUnserved(IOException error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof NotServingRegionException) {
        return true;
      }
    }
    return false;
  }
}
