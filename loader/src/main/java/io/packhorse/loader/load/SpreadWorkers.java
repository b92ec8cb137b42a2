package io.packhorse.loader.load;

import io.packhorse.loader.job.LoadSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Processes that share the reading and writing of a load. The methods are called in this order, by
 * one thread.
 */
public interface SpreadWorkers {
  /** How many tasks run at a time, about; 1 or more. */
  int threads();

  /**
   * Reads every input once, and keeps its points as packed hours for {@link #write}; what an
   * earlier call has read is forgotten.
   *
   * @return one for each input, in their order
   * @throws io.packhorse.loader.source.input.InputException if an input cannot be read
   * @throws IOException if the processes fail
   */
  List<SpreadReading> read(List<SpreadInput> inputs, LoadSettings settings)
      throws IOException, InterruptedException;

  /**
   * Copies what was rejected of an input.
   *
   * @param input its number
   * @param to gets lines as {@link io.packhorse.loader.source.record.Rejects} writes them
   */
  void copyRejects(int input, OutputStream to) throws IOException, InterruptedException;

  /**
   * Brings the packed hours of each series-hour together and writes each part of the plan as an
   * HFile; when it returns, no task writes any more.
   *
   * @return of each part the attempt that counts
   */
  List<SpreadWriting> write(SpreadPlan plan, SpreadSeries series)
      throws IOException, InterruptedException;
}
