package io.packhorse.loader.receive;

/** What a receiver says of itself. Any number of threads. */
public interface ReceiverStatus {
  /** A few lines for people. */
  String text();

  /** In Prometheus' text format. */
  String metrics();

  /** Why points cannot be taken, in a sentence; empty if they can. */
  String problem();

  /** For {@code /health} while points can be taken: that, and whether they are stored. */
  String readiness();

  /** Of this software. */
  String version();
}
