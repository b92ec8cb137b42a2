package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A job of a receiver, from its first run to its end. While the store is away its log takes what
 * arrives, and it is resumed when the store is back. One thread.
 */
final class ReceivingJob implements Closeable {
  private static final int RETRY_SECONDS = 5;

  private final LoadRequest request;
  private final StoreAddress store;
  private final Announcer announcer;
  private final Intake intake;
  private @Nullable Run run;

  /** A run of the job and the connection that it uses. */
  private record Run(JobRun run, StoreConnection to) implements Closeable {
    @Override
    public void close() throws IOException {
      try (to) {
        run.close();
      }
    }
  }

  private ReceivingJob(
      LoadRequest request, StoreAddress store, Announcer announcer, Run first, Intake intake) {
    this.request = request;
    this.store = store;
    this.announcer = announcer;
    this.run = first;
    this.intake = intake;
  }

  /**
   * Begins a job; if it cannot, nothing is left of it.
   *
   * @param logBytesMax limit of its log
   */
  static ReceivingJob begin(
      LoadRequest request, StoreAddress store, Announcer announcer, long logBytesMax)
      throws JobException, StoreException, IOException, InterruptedException {
    StoreConnection to = connect(request, store, announcer);
    try {
      JobRun run = new LoadRunner(store, announcer).begin(request, to);
      try {
        return new ReceivingJob(
            request,
            store,
            announcer,
            new Run(run, to),
            ReceiverLog.open(
                run.job(), (LoadInput.Received) request.settings().input(), logBytesMax));
      } catch (IOException | RuntimeException e) {
        run.close();
        throw e;
      }
    } catch (JobException | IOException | RuntimeException e) {
      to.close();
      throw e;
    }
  }

  private static StoreConnection connect(
      LoadRequest request, StoreAddress store, Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    return store.openToLoad(announcer, request.settings().cells(), request.settings().seriesMeta());
  }

  /** Takes the bodies of this job; closed with it. */
  Intake intake() {
    return intake;
  }

  String id() {
    return request.jobId();
  }

  /**
   * Stores what its intake takes, until that ends.
   *
   * @param stopping when the receiver is being stopped
   */
  LoadResult run(ReceiverPage page, CountDownLatch stopping)
      throws JobException, InterruptedException, IOException {
    LoadRunner runner = new LoadRunner(store, announcer);
    while (true) {
      try (Run current = run == null ? resume(page, stopping) : run) {
        run = null;
        return runner.run(
            current.to(),
            current.run(),
            (rejects, job) -> {
              LogFeed feed = LogFeed.ofLive(intake, request.settings(), rejects, job);
              page.stores(feed, job);
              return feed;
            });
      } catch (OperationException e) {
        if (e.kind() != Kind.CLUSTER || stopping.getCount() == 0) {
          throw e;
        }
        away(page, e);
      }
    }
  }

  /** Connects and resumes the job, however long that takes. */
  private Run resume(ReceiverPage page, CountDownLatch stopping)
      throws JobException, InterruptedException {
    while (true) {
      if (stopping.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
        throw new OperationException(
            Kind.CLUSTER,
            "Stopped while the store was away: what was received is in the log of job "
                + id()
                + "; the next packhorse receive stores it, or: packhorse job resume "
                + id()
                + store.options());
      }
      StoreConnection to = null;
      try {
        to = connect(request, store, announcer);
        Job job = store.jobs().open(id(), request.shard());
        try {
          job.tidy();
          Run resumed = new Run(JobRun.resume(job, to, store, announcer), to);
          page.isBack();
          announcer.say("store", "reached again: storing what the log has taken");
          return resumed;
        } catch (IOException | OperationException e) {
          job.close();
          throw e;
        }
      } catch (IOException | StoreException | OperationException e) {
        away(page, e);
        closeQuietly(to);
      }
    }
  }

  /** Says once, and shows, why nothing can be stored. */
  private void away(ReceiverPage page, Exception why) {
    String sentence = Causes.sentence(why);
    if (page.isAway(sentence)) {
      announcer.say(
          "store",
          "NOTHING IS STORED NOW, the log takes what arrives; every "
              + RETRY_SECONDS
              + " s another attempt. "
              + sentence);
    }
  }

  private static void closeQuietly(@Nullable StoreConnection to) {
    if (to != null) {
      try {
        to.close();
      } catch (IOException e) {
        // The store is away in any case.
      }
    }
  }

  /** Leaves nothing of a job that has taken nothing. */
  @Override
  public void close() throws IOException {
    try (intake) {
      if (run != null && intake.isUnused()) {
        run.run().job().remove();
      }
      if (run != null) {
        run.close();
      }
    }
  }
}
