package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A job that is run again after each failure of the store, and held between its runs: another
 * process must not write its log. One thread.
 */
final class HeldJob implements Closeable {
  private final JobFolder jobs;
  private final String id;
  private final Path folder;
  private Optional<Job> job;
  private boolean hasRun;

  /**
   * @param job closed with this object
   */
  HeldJob(JobFolder jobs, Job job) {
    this.jobs = jobs;
    this.id = job.manifest().id();
    this.folder = job.folder();
    this.job = Optional.of(job);
  }

  String id() {
    return id;
  }

  Path folder() {
    return folder;
  }

  /** The job for one run, which continues from its last checkpoint. */
  Job forRun() throws JobException, IOException {
    if (hasRun) {
      close();
    }
    hasRun = true;
    if (job.isEmpty()) {
      job = Optional.of(jobs.open(id, JobShard.WHOLE));
    }
    return job.get();
  }

  /** Removes the job if nothing was ever stored by it. */
  void removeIfBlank() throws IOException {
    if (job.isPresent() && job.get().isBlank()) {
      job.get().remove();
    }
  }

  @Override
  public void close() throws IOException {
    Optional<Job> open = job;
    job = Optional.empty();
    if (open.isPresent()) {
      open.get().close();
    }
  }
}
