package io.packhorse.loader.read;

import java.io.IOException;

/** Scans stored rows. Any number of threads. */
public interface RowSource {
  /** Receives rows one by one. */
  interface Visitor {
    void row(StoredRow row) throws IOException;
  }

  /**
   * Visits every row of one metric in one salt bucket, in row order.
   *
   * @param bucket 0 to buckets - 1
   * @param metric UID
   * @param fromSeconds first base time
   * @param toSeconds base time after the last
   */
  void scan(int bucket, long metric, long fromSeconds, long toSeconds, Visitor visitor)
      throws IOException;
}
