package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.net.ReceiverServer;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives points until it is stopped: listens, keeps what arrives in a log, and stores it as a job
 * whose input the log is. While the store is away the log takes what arrives, and the job is
 * resumed when the store is back.
 */
public final class Receiver {
  private static final int RETRY_SECONDS = 5;

  private final StoreAddress store;
  private final Announcer announcer;
  private final Settings settings;
  private final LoadRunner runner;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * How to receive.
   *
   * @param http addresses that speak HTTP
   * @param telnet addresses that speak OpenTSDB's telnet commands
   * @param logBytesMax limit of the log
   * @param limits of the server
   */
  public record Settings(
      List<InetSocketAddress> http,
      List<InetSocketAddress> telnet,
      long logBytesMax,
      ReceiverServer.Limits limits) {
    public Settings {
      http = List.copyOf(http);
      telnet = List.copyOf(telnet);
    }
  }

  public Receiver(StoreAddress store, Announcer announcer, Settings settings) {
    this.store = store;
    this.announcer = announcer;
    this.settings = settings;
    this.runner = new LoadRunner(store, announcer);
  }

  /**
   * Receives until the process is told to end. First what earlier receivers have left in their logs
   * is stored.
   *
   * @throws OperationException REFUSED if an address is taken, CLUSTER if the log cannot be
   *     written, or the store is away when it is stopped
   */
  public LoadResult run(LoadRequest request)
      throws JobException, StoreException, IOException, InterruptedException {
    storeRests();
    StoreConnection to = connect(request);
    JobRun run = runner.begin(request, to);
    Thread onStop = new Thread(this::stop, "packhorse-stop");
    LoadInput.Received received = (LoadInput.Received) request.settings().input();
    try (Intake intake = ReceiverLog.open(run.job(), received, settings.logBytesMax())) {
      ReceiverPage page = new ReceiverPage(intake, settings.logBytesMax(), run.job());
      try (ReceiverServer server =
          new ReceiverServer(intake, page, settings.limits(), request.settings().threads())) {
        page.serve(server);
        listen(server);
        Runtime.getRuntime().addShutdownHook(onStop);
        Thread closing = new Thread(() -> closeWhenStopped(server, intake), "packhorse-closing");
        closing.setDaemon(true);
        closing.start();
        return receive(request, to, run, intake, page);
      }
    } finally {
      ended.countDown();
    }
  }

  /** Stores what receivers have left that were killed, or stopped while the store was away. */
  private void storeRests() throws JobException, StoreException, IOException, InterruptedException {
    for (JobFolder.Entry entry : store.jobs().list().jobs()) {
      if (entry.manifest().settings().input() instanceof LoadInput.Received
          && entry.history().state() == JobState.OPEN
          && !store.jobs().isHeld(entry.manifest())) {
        announcer.say("log", "storing what job " + entry.manifest().id() + " has left");
        try (Job job = store.jobs().open(entry.manifest().id(), entry.manifest().part())) {
          LoadResult result = runner.resume(job, Optional.empty(), Optional.empty());
          announcer.say(
              "log",
              "job "
                  + job.manifest().id()
                  + " has "
                  + HumanNumbers.count(
                      result.outcome().counts().acknowledged(), "point", "points"));
        }
      }
    }
  }

  private StoreConnection connect(LoadRequest request)
      throws StoreException, IOException, InterruptedException {
    return store.openToLoad(announcer, request.settings().cells(), request.settings().seriesMeta());
  }

  private void listen(ReceiverServer server) {
    try {
      for (InetSocketAddress at : settings.http()) {
        InetSocketAddress bound = server.listenHttp(at);
        announcer.say("listening", "http://" + text(bound));
      }
      for (InetSocketAddress at : settings.telnet()) {
        announcer.say("listening", "telnet " + text(server.listenTelnet(at)));
      }
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Cannot listen at " + e.getMessage() + ". Nothing was received.", e);
    }
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private LoadResult receive(
      LoadRequest request, StoreConnection first, JobRun begun, Intake intake, ReceiverPage page)
      throws JobException, InterruptedException, IOException {
    StoreConnection to = first;
    JobRun run = begun;
    while (true) {
      try {
        JobRun running = run;
        return runner.run(
            to,
            running,
            (rejects, job) -> {
              LogFeed feed = LogFeed.ofLive(intake, request.settings(), rejects, job);
              page.stores(feed);
              return feed;
            });
      } catch (OperationException e) {
        if (e.kind() != Kind.CLUSTER || isStopping()) {
          throw e;
        }
        away(page, e);
      } finally {
        run.close();
        to.close();
      }
      List<AutoCloseable> again = resume(request, page);
      to = (StoreConnection) again.get(0);
      run = (JobRun) again.get(1);
    }
  }

  /** Connects and resumes the job, however long that takes. */
  private List<AutoCloseable> resume(LoadRequest request, ReceiverPage page)
      throws JobException, InterruptedException {
    while (true) {
      if (stopping.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
        throw new OperationException(
            Kind.CLUSTER,
            "Stopped while the store was away: what was received is in the log of job "
                + request.jobId()
                + "; the next packhorse receive stores it, or: packhorse job resume "
                + request.jobId()
                + store.options());
      }
      StoreConnection to = null;
      try {
        to = connect(request);
        Job job = store.jobs().open(request.jobId(), request.shard());
        try {
          job.tidy();
          List<AutoCloseable> both = new ArrayList<>();
          both.add(to);
          both.add(JobRun.resume(job, to, store, announcer));
          page.isBack();
          announcer.say("store", "reached again: storing what the log has taken");
          return both;
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

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void closeWhenStopped(ReceiverServer server, Intake intake) {
    try {
      stopping.await();
    } catch (InterruptedException e) {
      return;
    }
    server.close();
    intake.end();
  }

  /** On a signal: takes no more requests, and gives the rest time to be stored. */
  private void stop() {
    announcer.say("stopping", "storing what was received");
    stopping.countDown();
    try {
      if (!ended.await(LoadRunner.DRAIN_SECONDS, TimeUnit.SECONDS)) {
        announcer.fail(
            "gave up waiting for the store: the rest is in the log, and the next packhorse receive"
                + " stores it.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
