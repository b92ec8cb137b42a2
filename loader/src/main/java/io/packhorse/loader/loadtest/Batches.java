package io.packhorse.loader.loadtest;

import java.util.function.Consumer;

/** Makes the batches of a load test and sends them. Any number of threads. */
interface Batches extends AutoCloseable {
  /** Makes a batch. */
  Batch make(int number);

  /** Returns when every batch that was sent is answered for. May be repeated. */
  @Override
  void close();

  /** A batch that is made. */
  @FunctionalInterface
  interface Batch {
    /**
     * Sends it.
     *
     * @param answered told the kind of the error, empty if all points were taken; before this
     *     returns, or later on another thread
     */
    void send(Consumer<String> answered) throws InterruptedException;
  }
}
