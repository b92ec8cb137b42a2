package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;

/** A command that begins a job and can go on with one, its options being those it began with. */
interface Resumable {
  /**
   * Goes on with a job that is not finished.
   *
   * @param job closed by the caller
   * @param target where it is resumed, instead of where the options say
   * @return the command's exit code
   */
  int resume(Job job, TargetOptions target)
      throws JobException, StoreException, IOException, InterruptedException;
}
