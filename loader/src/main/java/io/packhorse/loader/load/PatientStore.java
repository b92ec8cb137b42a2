package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The store of a receiver, which may be away, at the start too: it is tried again until it is
 * there, and operators are told. One thread.
 */
final class PatientStore implements AutoCloseable {
  private static final int RETRY_SECONDS = 5;

  private final StoreAddress store;
  private final LoadSettings settings;
  private final Announcer announcer;
  private final ReceiverPage page;
  private final CountDownLatch stopping;
  private Optional<String> awayBecause = Optional.empty();

  /** Kept until it fails: a process that is being stopped may not be able to connect once more. */
  private Optional<StoreConnection> connection = Optional.empty();

  /**
   * @param settings of all jobs
   * @param stopping when the receiver is being stopped
   */
  PatientStore(
      StoreAddress store,
      LoadSettings settings,
      Announcer announcer,
      ReceiverPage page,
      CountDownLatch stopping) {
    this.store = store;
    this.settings = settings;
    this.announcer = announcer;
    this.page = page;
    this.stopping = stopping;
  }

  /**
   * Runs a job to its end. Whenever the store is away the job is resumed later.
   *
   * @param held stays the caller's
   * @param feeds open what the job reads, for each run
   * @param left says where the points are, for a receiver that is stopped before
   * @throws OperationException CLUSTER if the receiver is stopped while the store is away; the user
   *     has been told
   */
  LoadResult run(HeldJob held, LoadRunner.FeedOpener feeds, Supplier<String> left)
      throws InterruptedException {
    while (true) {
      awaitAttempt(left);
      Optional<LoadResult> result = attempt(held, feeds);
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  private Optional<LoadResult> attempt(HeldJob held, LoadRunner.FeedOpener feeds)
      throws InterruptedException {
    if (connection.isEmpty()) {
      connection = connect();
    }
    Optional<LoadResult> result = Optional.empty();
    try {
      if (connection.isPresent()) {
        result = run(held, feeds, connection.get());
      }
      return result;
    } finally {
      if (result.isEmpty()) {
        close();
      }
    }
  }

  private void awaitAttempt(Supplier<String> left) throws InterruptedException {
    if (awayBecause.isPresent() && stopping.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
      // Told at once: when the receiver has ended, the JVM may end before the exception is told.
      announcer.fail("stopped while the store was away: " + left.get() + ". " + awayBecause.get());
      throw new OperationException(Kind.CLUSTER, "");
    }
  }

  private Optional<StoreConnection> connect() throws InterruptedException {
    try {
      return Optional.of(store.openToLoad(announcer, settings.cells(), settings.seriesMeta()));
    } catch (OperationException e) {
      throwUnlessItMayPass(e);
      away(String.valueOf(e.getMessage()));
    } catch (IOException | StoreException e) {
      away(Causes.sentence(e));
    } catch (IllegalStateException e) {
      // The JVM refuses to start the embedded store once it is shutting down.
      if (stopping.getCount() > 0) {
        throw e;
      }
      away("It is not started any more.");
    }
    return Optional.empty();
  }

  private Optional<LoadResult> run(HeldJob held, LoadRunner.FeedOpener feeds, StoreConnection to)
      throws InterruptedException {
    try {
      Job job = held.forRun();
      LoadRunner.sayIfTorn(job, announcer);
      job.tidy();
      JobRun run = JobRun.resume(job, to, store, announcer);
      reached();
      return Optional.of(new LoadRunner(store, announcer).run(to, run, feeds));
    } catch (OperationException e) {
      throwUnlessItMayPass(e);
      away(e.kind() == Kind.REFUSED ? String.valueOf(e.getMessage()) : Causes.sentence(e));
    } catch (JobException | IOException e) {
      away(Causes.sentence(e));
    }
    return Optional.empty();
  }

  /**
   * A store that refuses is as good as away: it cannot be told whether a TSD is still being
   * started, or a table restored, and what has been answered is safe in the log meanwhile.
   */
  private static void throwUnlessItMayPass(OperationException e) {
    if (e.kind() != Kind.CLUSTER && e.kind() != Kind.REFUSED) {
      throw e;
    }
  }

  /** Shows why nothing can be stored, and says it if that is new. */
  private void away(String why) {
    awayBecause = Optional.of(why);
    if (page.isNewlyAway(why) && stopping.getCount() > 0) {
      announcer.say(
          "store",
          "NOTHING IS STORED NOW, the log takes what arrives; every "
              + RETRY_SECONDS
              + " s another attempt. "
              + why);
    }
  }

  private void reached() {
    awayBecause = Optional.empty();
    if (page.isBack()) {
      announcer.say("store", "reached: storing what the log has taken");
    }
  }

  @Override
  public void close() {
    Optional<StoreConnection> open = connection;
    connection = Optional.empty();
    try {
      if (open.isPresent()) {
        open.get().close();
      }
    } catch (IOException e) {
      // All that was to be stored is stored, or the store is away.
    }
  }
}
