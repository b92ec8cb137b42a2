package io.packhorse.benchmarks;

import java.io.IOException;

/** A named set of measurements. Checks the answers before it reports a figure. */
public interface Benchmark {
  /**
   * Measures.
   *
   * @param quick end within three minutes
   * @throws IOException if anything goes wrong, a wrong answer included
   */
  void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException;
}
