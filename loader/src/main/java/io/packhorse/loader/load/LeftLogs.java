package io.packhorse.loader.load;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The logs of receivers that were killed, or stopped while the store was away. Their jobs are held
 * until they are stored. One thread.
 */
final class LeftLogs implements Closeable {
  private final StoreAddress store;
  private final Announcer announcer;
  private final Deque<HeldJob> jobs = new ArrayDeque<>();

  private LeftLogs(StoreAddress store, Announcer announcer) {
    this.store = store;
    this.announcer = announcer;
  }

  /** Takes over the jobs that no process works on, the oldest first. */
  static LeftLogs open(StoreAddress store, Announcer announcer) throws JobException, IOException {
    LeftLogs left = new LeftLogs(store, announcer);
    try {
      left.takeOver();
      return left;
    } catch (JobException | IOException | RuntimeException e) {
      left.close();
      throw e;
    }
  }

  private void takeOver() throws JobException, IOException {
    JobFolder folder = store.jobs();
    JobFolder.Listing all = folder.list();
    for (JobException damaged : all.damaged()) {
      announcer.say(
          "WARNING", damaged.getMessage() + "; if it has a log of a receiver, that is not stored");
    }
    for (JobFolder.Entry entry : all.jobs()) {
      if (entry.manifest().settings().input() instanceof LoadInput.Received
          && entry.history().state() == JobState.OPEN
          && !folder.isHeld(entry.manifest())) {
        jobs.add(new HeldJob(folder, folder.open(entry.manifest().id(), entry.manifest().part())));
      }
    }
  }

  /** Bytes that they take on disk. */
  long bytes() throws IOException {
    long bytes = 0;
    for (HeldJob job : jobs) {
      bytes += ReceiverLog.bytes(job.folder());
    }
    return bytes;
  }

  /** Whether all are stored. */
  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /**
   * Stores the oldest one.
   *
   * @throws OperationException as {@link PatientStore#run}
   */
  void storeNext(PatientStore to) throws JobException, IOException, InterruptedException {
    try (HeldJob held = jobs.remove()) {
      announcer.say("log", "storing what job " + held.id() + " has left");
      LoadResult result =
          to.run(
              held,
              (rejects, job) -> LogFeed.ofRest(job, job.manifest().settings(), rejects, false),
              () ->
                  "the log of job "
                      + held.id()
                      + " and what was received since are kept; the next packhorse receive stores"
                      + " them");
      announcer.say(
          "log",
          "job "
              + held.id()
              + " has "
              + HumanNumbers.count(result.outcome().counts().acknowledged(), "point", "points"));
    }
  }

  @Override
  public void close() throws IOException {
    while (!jobs.isEmpty()) {
      jobs.remove().close();
    }
  }
}
