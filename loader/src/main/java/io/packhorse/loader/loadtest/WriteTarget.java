package io.packhorse.loader.loadtest;

/** Where points are sent to. Any number of threads. */
interface WriteTarget extends AutoCloseable {
  /** Sends a batch and waits for the answer; kind of the error, empty if all points were taken. */
  String send(String body) throws InterruptedException;

  @Override
  void close();
}
