package io.packhorse.loader.hbase;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.NotServingRegionException;

/** Reads that wait for a region which is on its way to another server, or being split. */
public final class PatientRead {
  /** How long a region may be away, as for Puts one that is too busy. */
  private static final Duration AWAY_MAX = Duration.ofMinutes(5);

  private PatientRead() {}

  /** One read; it may be repeated. */
  public interface Read<T> {
    T get() throws IOException;
  }

  /** Reads until the region is served; each time HBase's client has tried for half a minute. */
  public static <T> T of(Read<T> read) throws IOException {
    long deadline = System.nanoTime() + AWAY_MAX.toNanos();
    while (true) {
      try {
        return read.get();
      } catch (IOException e) {
        if (!isAway(e) || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Whether servers answer, and none of them has the region. */
  private static boolean isAway(IOException error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof NotServingRegionException) {
        return true;
      }
    }
    return false;
  }
}
