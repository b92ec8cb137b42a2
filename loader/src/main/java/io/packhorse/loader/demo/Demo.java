package io.packhorse.loader.demo;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadOutcome;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.ReportFile;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.WalkVerification;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.query.WalkQuery;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.store.Distribution;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A demo over an embedded store: days of 128 one-second sensors, loaded once, read back and
 * queried. One thread calls it; at Ctrl-C a load comes to its own end, then the servers are stopped
 * that this demo has started.
 */
public final class Demo implements AutoCloseable {
  private static final int SENSORS = 128;
  private static final int TSD_RESTARTS_MAX = 3;
  private static final String METRIC = "demo.walk";
  private static final LoadOutput.Puts PUTS = new LoadOutput.Puts(PutDurability.SYNC, 0);
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final WalkSpec spec;
  private final Announcer announcer;
  private final StoreDirectory directory;
  private final StoreConnection connection;
  private final boolean ranBefore;
  private final Optional<DemoRecord> earlier;

  /** Held while points are loaded. */
  private final Semaphore loading = new Semaphore(1);

  private volatile boolean serving;
  private volatile boolean stopping;
  private boolean stopped;

  private Demo(
      WalkSpec spec,
      Announcer announcer,
      StoreDirectory directory,
      StoreConnection connection,
      boolean ranBefore,
      Optional<DemoRecord> earlier) {
    this.spec = spec;
    this.announcer = announcer;
    this.directory = directory;
    this.connection = connection;
    this.ranBefore = ranBefore;
    this.earlier = earlier;
  }

  /**
   * Starts the servers that do not run.
   *
   * @param days length of the history
   * @throws OperationException USAGE if the store holds a demo of another length; REFUSED if there
   *     is not enough room on its disk
   */
  public static Demo open(EmbeddedStore store, long days, Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    WalkSpec spec = new WalkSpec(METRIC, SENSORS, 1000, START.getEpochSecond(), days * 86_400, 1);
    StoreDirectory directory = store.open();
    Optional<DemoRecord> earlier = DemoRecord.read(directory.root());
    if (earlier.isPresent() && earlier.get().days() != days) {
      throw new OperationException(
          Kind.USAGE,
          directory.root()
              + " already holds a demo of "
              + HumanNumbers.count(earlier.get().days(), "day", "days")
              + "; ask for --span "
              + earlier.get().days()
              + "d or choose another --dir.");
    }
    boolean ranBefore = store.isRunning();
    StoreAddress address = StoreAddress.ofEmbedded(store);
    if (earlier.isEmpty()) {
      address.checkRoom((double) spec.totalPoints(), PUTS);
    }
    try {
      Demo demo = new Demo(spec, announcer, directory, address.open(announcer), ranBefore, earlier);
      Runtime.getRuntime().addShutdownHook(new Thread(demo::stopOnInterrupt, "packhorse-stop"));
      return demo;
    } catch (StoreException | IOException | InterruptedException | RuntimeException e) {
      if (!ranBefore) {
        EmbeddedServer.stop(directory);
      }
      throw e;
    }
  }

  /** Directory of the store. */
  public StoreDirectory directory() {
    return directory;
  }

  /** What an earlier demo has loaded and verified here; then there is nothing to load. */
  public Optional<DemoRecord> earlier() {
    return earlier;
  }

  /** Loads the points as Puts of packed cells, not as a job. */
  public LoadOutcome load() throws IOException, InterruptedException {
    announcer.say(
        "load",
        spec.sensors()
            + " sensors, one point a second, "
            + HumanNumbers.count(spec.totalPoints())
            + " points, packed cells, Puts");
    loading.acquire();
    try {
      return LoadRunner.runWithoutJob(connection, settings(), report(), announcer);
    } finally {
      loading.release();
    }
  }

  /** The report of the load, beside the store's data. */
  private ReportFile report() {
    return ReportFile.ofDemo(
        directory.root(), connection, settings(), "demo --span " + spec.hours() / 24 + "d");
  }

  private LoadSettings settings() {
    return new LoadSettings(
        new LoadInput.Walk(spec),
        PUTS,
        CellForm.PACKED,
        Runtime.getRuntime().availableProcessors(),
        true,
        0,
        null,
        null);
  }

  /** Reads every point back, and says in the report what it found. */
  public VerifyReport verify() throws IOException, InterruptedException {
    VerifyReport found = new WalkVerification(connection, spec, announcer).run();
    report().addVerification(found, "every point");
    return found;
  }

  /**
   * Notes in the store that it holds this demo, which is not loaded again then.
   *
   * @throws OperationException VERIFICATION if the report has not passed; nothing is noted
   */
  public DemoRecord record(LoadOutcome outcome, VerifyReport report) throws IOException {
    if (!report.passed()) {
      throw new OperationException(
          Kind.VERIFICATION,
          "What was read back differs from what was loaded; the store is left as it is: "
              + directory.root());
    }
    String table = connection.layout().dataTable();
    new HBaseTables(connection.cluster().connection()).flush(table);
    DemoRecord demo =
        new DemoRecord(
            spec.hours() / 24,
            spec.totalPoints(),
            outcome.pointsPerSecond(),
            (double) directory.tableBytes(table) / spec.totalPoints());
    demo.write(directory.root());
    return demo;
  }

  /** The queries to ask. */
  public List<WalkQuery> queries() {
    return WalkQuery.demo(spec);
  }

  /** Asks a query twice. */
  public DemoAnswer ask(WalkQuery query) throws IOException, InterruptedException {
    TsdClient client = new TsdClient(tsdUrl());
    long started = System.nanoTime();
    byte[] answer = client.raw(query.startMs(), query.endMs(), query.expression());
    long first = System.nanoTime();
    client.raw(query.startMs(), query.endMs(), query.expression());
    long again = System.nanoTime();
    return new DemoAnswer(
        query,
        (first - started) / 1e6,
        (again - first) / 1e6,
        query.differences(client.parse(answer)));
  }

  /** Where OpenTSDB answers. */
  public URI tsdUrl() {
    return connection.embedded().orElseThrow().tsdUrl();
  }

  /** The address of a query that a user can paste into curl. */
  public URI exampleQuery() {
    WalkQuery example = queries().get(1);
    return new TsdClient(tsdUrl())
        .queryUri(example.startMs(), example.endMs(), example.expression());
  }

  /**
   * Lets the servers answer until Ctrl-C; a TSD that ends is started again, a few times. From then
   * on they are stopped whoever started them.
   *
   * @throws OperationException CLUSTER if the servers have ended, or the TSD ends again and again
   */
  public void serve() throws StoreException, IOException, InterruptedException {
    serving = true;
    boolean hbaseRuns = true;
    try {
      hbaseRuns =
          EmbeddedServer.keepTsdRunning(
              directory,
              Distribution.current(),
              TSD_RESTARTS_MAX,
              servers ->
                  announcer.say(
                      "store",
                      "OpenTSDB has ended and was started again, at "
                          + servers.tsdUrl()
                          + "; logs in "
                          + directory.log()));
    } catch (StoreException | IllegalStateException e) {
      // While the servers are being stopped, a restart may fail in many ways.
      if (!stopping) {
        throw e;
      }
    }
    if (stopping) {
      new CountDownLatch(1).await();
    }
    throw new OperationException(
        Kind.CLUSTER,
        (hbaseRuns
                ? "OpenTSDB has ended and was started again "
                    + TSD_RESTARTS_MAX
                    + " times; it is left stopped"
                : "OpenTSDB and HBase have ended, or were stopped by another command")
            + ". Logs are in "
            + directory.log()
            + ".");
  }

  private void stopOnInterrupt() {
    stopping = true;
    try {
      loading.tryAcquire(LoadRunner.DRAIN_SECONDS, TimeUnit.SECONDS);
      if (serving) {
        announcer.say("store", "stopping");
      }
      stop();
    } catch (StoreException | IOException e) {
      announcer.fail(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops what this demo started, once. Servers that ran before keep running unless it serves. */
  private synchronized void stop() throws StoreException, IOException, InterruptedException {
    if (!stopped && (serving || !ranBefore)) {
      EmbeddedServer.stop(directory);
    }
    stopped = true;
  }

  /** Ends the connection, and the servers that this demo started. */
  @Override
  public void close() throws StoreException, IOException {
    try {
      connection.close();
    } finally {
      try {
        stop();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        announcer.fail(
            "interrupted while the servers were being stopped; stop them with: packhorse server"
                + " stop --dir "
                + directory.root());
      }
    }
  }
}
