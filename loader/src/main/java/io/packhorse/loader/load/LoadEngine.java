package io.packhorse.loader.load;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;

/** Runs loads of files. One load at a time. */
public interface LoadEngine {
  /**
   * Begins a load and runs it to its end.
   *
   * @param store that points are loaded into
   * @param announcer told what happens meanwhile
   * @throws OperationException of any kind; the message says what is safe and what to do
   */
  LoadResult run(StoreAddress store, LoadRequest request, Announcer announcer)
      throws JobException, StoreException, IOException, InterruptedException;
}
