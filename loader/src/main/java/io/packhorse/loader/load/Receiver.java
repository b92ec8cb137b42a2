package io.packhorse.loader.load;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.net.Access;
import io.packhorse.loader.receive.net.ReceiverServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives points until it is stopped: listens, keeps what arrives in a log, and stores it as a job
 * whose input the log is. From time to time it ends the job and begins the next one. It needs the
 * store for nothing but storing, so it listens before it has reached the store.
 */
public final class Receiver {
  private static final int RETRY_SECONDS = 10;

  private final StoreAddress store;
  private final Announcer announcer;
  private final Settings settings;
  private final LoadRequest request;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Takes the bodies now, while the job before it is ending; guarded by this object. */
  private @Nullable ReceivingJob next;

  /**
   * How to receive.
   *
   * @param http addresses that speak HTTP
   * @param telnet addresses that speak OpenTSDB's telnet commands
   * @param influxTcp addresses that take line protocol without answers
   * @param logBytesMax limit of the log of one job
   * @param jobSpan a new job begins when a multiple of this has passed since 1970, UTC
   * @param limits of the server
   * @param access to it
   * @param ack when requests are answered
   */
  public record Settings(
      List<InetSocketAddress> http,
      List<InetSocketAddress> telnet,
      List<InetSocketAddress> influxTcp,
      long logBytesMax,
      Duration jobSpan,
      ReceiverServer.Limits limits,
      Access access,
      ReceiverServer.Ack ack) {
    public Settings {
      http = List.copyOf(http);
      telnet = List.copyOf(telnet);
      influxTcp = List.copyOf(influxTcp);
    }
  }

  /**
   * @param request what its jobs have in common; each gets a name of its own
   */
  public Receiver(StoreAddress store, Announcer announcer, Settings settings, LoadRequest request) {
    this.store = store;
    this.announcer = announcer;
    this.settings = settings;
    this.request = request;
  }

  /**
   * Receives until the process is told to end. What earlier receivers have left in their logs is
   * stored before what this one takes: of two values for a time, the one that came later counts.
   *
   * @return of the last job
   * @throws OperationException REFUSED if an address is taken or the TSD's settings hide points,
   *     CLUSTER if the log cannot be written, or the store is away when it is stopped
   */
  public LoadResult run() throws JobException, IOException, InterruptedException {
    store.checkConfigFile();
    try (LeftLogs left = LeftLogs.open(store, announcer)) {
      return receive(left);
    }
  }

  private LoadResult receive(LeftLogs left) throws JobException, IOException, InterruptedException {
    Thread onStop = new Thread(this::stop, "packhorse-stop");
    ReceivingJob job = begin();
    try {
      CurrentIntake intake = new CurrentIntake(job.intake());
      ReceiverPage page = new ReceiverPage(intake, settings.logBytesMax(), job.id());
      show(left, page, job);
      try (ReceiverServer server =
          new ReceiverServer(
              intake,
              page,
              settings.limits(),
              settings.access(),
              settings.ack(),
              request.settings().threads())) {
        page.serve(server);
        if (settings.ack() == ReceiverServer.Ack.MEMORY) {
          announcer.say(
              "warning", "--ack memory: a crash of this machine loses points that were answered");
        }
        listen(server);
        Runtime.getRuntime().addShutdownHook(onStop);
        startDaemon("packhorse-closing", () -> closeWhenStopped(server, intake));
        startDaemon("packhorse-next-job", () -> changeJobs(intake, page));
        try (PatientStore to =
            new PatientStore(store, request.settings(), announcer, page, stopping)) {
          while (!left.isEmpty()) {
            left.storeNext(to);
            show(left, page, job);
          }
          while (true) {
            LoadResult result = job.run(to, page);
            ReceivingJob following = takeNext();
            if (following == null) {
              return result;
            }
            announcer.say("job", job.id() + " is complete: " + points(result));
            job.close();
            job = following;
          }
        }
      }
    } finally {
      job.close();
      ReceivingJob unused = takeNext();
      if (unused != null) {
        unused.close();
      }
      ended.countDown();
    }
  }

  /** Logs of earlier receivers take room from the log of this one until they are stored. */
  private void show(LeftLogs left, ReceiverPage page, ReceivingJob job) throws IOException {
    long bytes = left.bytes();
    page.left(bytes);
    job.intake().limitLog(settings.logBytesMax() - bytes);
  }

  private static void startDaemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static String points(LoadResult result) {
    return HumanNumbers.count(result.outcome().counts().acknowledged(), "point", "points");
  }

  private ReceivingJob begin() throws JobException, IOException {
    String id = "receive-" + JobFolder.newId(Instant.now());
    return ReceivingJob.begin(request.withJob(id), store, settings.logBytesMax());
  }

  private void listen(ReceiverServer server) {
    try {
      for (InetSocketAddress at : settings.http()) {
        InetSocketAddress bound = server.listenHttp(at);
        announcer.say(
            "listening",
            (settings.access().tls().isPresent() ? "https://" : "http://") + text(bound));
      }
      for (InetSocketAddress at : settings.telnet()) {
        announcer.say("listening", "telnet " + text(server.listenTelnet(at)));
      }
      for (InetSocketAddress at : settings.influxTcp()) {
        announcer.say("listening", "line protocol " + text(server.listenInflux(at)));
      }
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Cannot listen at " + e.getMessage() + ". Nothing was received.", e);
    }
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /** Begins the next job whenever it is time, until the receiver is stopped. */
  private void changeJobs(CurrentIntake intake, ReceiverPage page) {
    long span = settings.jobSpan().toMillis();
    try {
      long now = System.currentTimeMillis();
      while (!stopping.await((now / span + 1) * span - now, TimeUnit.MILLISECONDS)) {
        while (!changeJob(intake, page)) {
          if (stopping.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
            return;
          }
        }
        now = System.currentTimeMillis();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets a new job take the bodies that follow. The job that runs ends when it has stored its own.
   *
   * @return whether it did, or need not any more
   */
  private synchronized boolean changeJob(CurrentIntake intake, ReceiverPage page)
      throws InterruptedException {
    if (stopping.getCount() == 0) {
      return true;
    }
    if (next != null || page.isBehind()) {
      return false;
    }
    try {
      ReceivingJob following = begin();
      try {
        intake.replaceBy(following.intake());
      } catch (IOException e) {
        following.close();
        throw e;
      }
      next = following;
      return true;
    } catch (JobException | IOException | OperationException e) {
      announcer.say(
          "job",
          "the next job could not begin, another attempt in "
              + RETRY_SECONDS
              + " s: "
              + Causes.sentence(e));
      return false;
    }
  }

  private synchronized @Nullable ReceivingJob takeNext() {
    ReceivingJob taken = next;
    next = null;
    return taken;
  }

  private void closeWhenStopped(ReceiverServer server, CurrentIntake intake) {
    try {
      stopping.await();
    } catch (InterruptedException e) {
      return;
    }
    server.close();
    synchronized (this) {
      intake.end();
    }
  }

  /** On a signal: takes no more requests, and gives the rest time to be stored. */
  private void stop() {
    announcer.say("stopping", "storing what was received");
    stopping.countDown();
    try {
      if (!ended.await(LoadRunner.DRAIN_SECONDS, TimeUnit.SECONDS)) {
        announcer.fail(
            "gave up waiting for the store. The rest is kept, and the next packhorse receive stores it.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
