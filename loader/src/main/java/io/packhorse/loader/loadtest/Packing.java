package io.packhorse.loader.loadtest;

import io.packhorse.loader.point.PointBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/** Packs the points of a load test in this process, instead of sending them to a target. */
@FunctionalInterface
public interface Packing {
  /**
   * Begins; the store knows the names of all series then.
   *
   * @throws IOException if the store does not answer
   */
  Packer begin(Workload workload) throws IOException;

  /** Takes points. Any number of threads, but one for {@link #close}. */
  interface Packer extends Closeable {
    /**
     * Takes a batch of the schedule; waits while there is no room for it.
     *
     * @param points the packer's from now on
     * @param answered told the kind of the error, empty for none, when the cells that hold the
     *     points are in the store; on any thread
     */
    void take(PointBatch points, Consumer<String> answered) throws InterruptedException;

    /** Stores what was taken, and answers for it. May be repeated. */
    @Override
    void close();
  }
}
