package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.receive.Intake;
import java.io.Closeable;
import java.io.IOException;

/**
 * A job of a receiver, from its beginning to its end. Its log takes what arrives, whether the store
 * is there or not. One thread.
 */
final class ReceivingJob implements Closeable {
  private final LoadRequest request;
  private final StoreAddress store;
  private final HeldJob held;
  private final Intake intake;

  private ReceivingJob(LoadRequest request, StoreAddress store, HeldJob held, Intake intake) {
    this.request = request;
    this.store = store;
    this.held = held;
    this.intake = intake;
  }

  /**
   * Begins a job, without the store; if it cannot, nothing is left of it.
   *
   * @param logBytesMax limit of its log
   * @throws OperationException REFUSED if the job cannot be recorded
   */
  static ReceivingJob begin(LoadRequest request, StoreAddress store, long logBytesMax)
      throws JobException, IOException {
    Job job = JobRun.beginAhead(request, store);
    HeldJob held = new HeldJob(store.jobs(), job);
    try {
      LoadInput.Received input = (LoadInput.Received) request.settings().input();
      return new ReceivingJob(request, store, held, ReceiverLog.open(job, input, logBytesMax));
    } catch (IOException | RuntimeException e) {
      try (held) {
        held.removeIfBlank();
      }
      throw e;
    }
  }

  /** Takes the bodies of this job; closed with it. */
  Intake intake() {
    return intake;
  }

  String id() {
    return held.id();
  }

  /**
   * Stores what its intake takes, until that ends.
   *
   * @throws OperationException as {@link PatientStore#run}
   */
  LoadResult run(PatientStore to, ReceiverPage page) throws InterruptedException {
    return to.run(
        held,
        (rejects, job) -> {
          LogFeed feed = LogFeed.ofLive(intake, request.settings(), rejects, job);
          page.stores(feed, job);
          return feed;
        },
        this::left);
  }

  private String left() {
    return intake.isUnused()
        ? "nothing was received"
        : "what was received is in the log of job "
            + id()
            + "; the next packhorse receive stores it, or: packhorse job resume "
            + id()
            + store.options();
  }

  /** Leaves nothing of a job that has taken nothing. */
  @Override
  public void close() throws IOException {
    try (held;
        intake) {
      if (intake.isUnused()) {
        held.removeIfBlank();
      }
    }
  }
}
