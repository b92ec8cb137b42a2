package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.read.hbase.LoaderColumns;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Points of live clients, queried while their hours grow, and afterwards.
 *
 * <p>With {@code -Dpackhorse.outage.seconds=600} HBase is away for so long.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ReceiverIT {
  private static final String METRIC = "it.receive.live";
  private static final long OUTAGE_NS =
      TimeUnit.SECONDS.toNanos(Long.getLong("packhorse.outage.seconds", 0));
  private static final int LONG_BODIES_A_MIB = 20;

  @TempDir private Path folder = Path.of("");
  private final HttpClient http = HttpClient.newHttpClient();
  private ReceiverProcess commands = new ReceiverProcess(folder);
  private StoreDirectory store = new StoreDirectory(folder);
  private int port;

  @BeforeEach
  void startStore() throws Exception {
    commands = new ReceiverProcess(folder);
    store = StoreDirectory.open(commands.store());
    EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    port = ReceiverProcess.freePort();
  }

  @AfterEach
  void stopStore() throws Exception {
    EmbeddedServer.stop(store);
  }

  @Test
  void pointsAreReadWhileTheirHourGrowsAndOneCellIsLeft() throws Exception {
    // Not so near the end of an hour that the next one begins meanwhile.
    long start = System.currentTimeMillis() / 1000 / 3600 * 3600 - 7200;
    Process receiver = receive("--visible-within", "2s");
    TreeMap<Long, Double> sent = new TreeMap<>();
    for (int round = 0; round < 4; round++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        long time = start + 10L * (i * 4 + round);
        lines.append(METRIC + ",h=a v=" + (round * 100 + i) + " " + time + "\n");
        sent.put(time, round * 100.0 + i);
      }
      assertEquals(204, post("/write?precision=s", lines.toString()));
      awaitPoints(sent, start);
    }
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=-1 " + (start - 36_000)));
    sent.put(start - 36_000, -1.0);
    awaitPoints(sent, start);
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=-2 " + start));
    sent.put(start, -2.0);
    awaitPoints(sent, start);
    stop(receiver);
    assertEquals(sent, points(start));
    JobFolder.Entry job = job(0);
    assertEquals(JobState.LOADED, job.history().state(), commands.said());
    assertEquals(202, job.history().counts().read());
    assertEquals(201, job.history().counts().packed());
    assertEquals(2, columns(job).size(), "an hour and the late one, each in one cell");
    assertEquals(
        0,
        commands.start("verify", "--job", job.manifest().id(), "--level", "counts").waitFor(),
        commands.said());
    assertEquals(
        0,
        commands.start("job", "rollback", job.manifest().id(), "--yes").waitFor(),
        commands.said());
    assertEquals(Set.of(), columns(job));
  }

  /** The rest of a log is stored by the next receiver, also if that one has other settings. */
  @Test
  void aKilledReceiverIsFollowedByAnother() throws Exception {
    long start = 1_704_067_200;
    Process first = receive("--visible-within", "1h");
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=1 " + start));
    first.destroyForcibly().waitFor();
    inspect();
    assertTrue(commands.said().contains("waiting   1 point after"), commands.said());
    Process second = receive("--metric-prefix", "p.", "--ack", "memory");
    awaitPoints(new TreeMap<>(java.util.Map.of(start, 1.0)), start);
    stop(second);
    inspect();
    assertTrue(commands.said().contains("log       none"), commands.said());
    assertEquals(JobState.LOADED, job(0).history().state(), commands.said());
    assertEquals(JobState.LOADED, job(1).history().state(), commands.said());
    assertEquals(0, job(1).history().counts().read());
  }

  /**
   * Receivers start, one is killed and one stopped, before HBase is there. What they have answered
   * is stored once it is, and of two values for a time the one that came later counts.
   */
  @Test
  void receiversThatStartBeforeHBaseStoreWhenItIsThere() throws Exception {
    String[] cluster = clusterOptions("1s");
    EmbeddedServer.stop(store);
    long start = 1_704_067_200;
    Process killed = receive(cluster);
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=1 " + start));
    String away = "NOTHING IS STORED NOW";
    while (!commands.said().contains(away)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertTrue(text("/health").contains("nothing is stored now"), text("/health"));
    assertTrue(text("/").contains(away) && text("/").contains("ZooKeeper"), text("/"));
    assertTrue(text("/metrics").contains("packhorse_receive_store_away 1\n"), text("/metrics"));
    assertEquals("", job(0).manifest().store());
    killed.destroyForcibly().waitFor();

    Process stopped = receive(cluster);
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=2 " + (start + 1)));
    stop(stopped);
    assertTrue(
        commands.said().contains("are kept; the next packhorse receive stores them"),
        commands.said());
    stop(receive(cluster));
    assertEquals(2, jobs().size(), "one took nothing");

    Process last = receive(cluster);
    assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=3 " + start));
    assertTrue(text("/").contains("of earlier receivers, stored first"), text("/"));
    EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    TreeMap<Long, Double> newest = new TreeMap<>(java.util.Map.of(start, 3.0, start + 1, 2.0));
    awaitPoints(newest, start);
    assertTrue(text("/metrics").contains("packhorse_receive_store_away 0\n"), text("/metrics"));
    assertTrue(text("/health").contains("\"ready for writes\""), text("/health"));
    stop(last);
    assertEquals(newest, points(start));
    for (int number = 0; number < 3; number++) {
      JobFolder.Entry job = job(number);
      assertEquals(JobState.LOADED, job.history().state(), commands.said());
      assertEquals(1, job.history().counts().packed());
      assertTrue(job.manifest().store().startsWith("tsdb, salt 1 x 4"), job.manifest().store());
      assertEquals(
          0,
          commands.start("verify", "--job", job.manifest().id(), "--level", "counts").waitFor(),
          commands.said());
    }
  }

  /** A log that is full of what earlier receivers have left takes nothing. */
  @Test
  void logsOfEarlierReceiversCountForTheLimit() throws Exception {
    String[] cluster = clusterOptions("1s");
    EmbeddedServer.stop(store);
    long start = 1_704_067_200;
    Process first = receive(cluster);
    TreeMap<Long, Double> answered = new TreeMap<>();
    while (sendLong(start, answered).statusCode() == 204) {
      assertTrue(answered.size() < 64 * LONG_BODIES_A_MIB, commands.said());
    }
    first.destroyForcibly().waitFor();

    Process second = start(cluster);
    while (status("/health") != 503) {
      assertTrue(second.isAlive(), commands.said());
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertEquals(503, sendLong(start, answered).statusCode());
    EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    while (sendLong(start, answered).statusCode() != 204) {
      TimeUnit.MILLISECONDS.sleep(200);
    }
    awaitPoints(answered, start);
    stop(second);
  }

  /** Options of the store as a cluster, which a receiver cannot start by itself. */
  private String[] clusterOptions(String visibleWithin) throws IOException {
    return new String[] {
      "--zookeeper",
      EmbeddedServer.current(store).zookeeperQuorum(),
      "--tsd-conf",
      store.tsdConfig(TsdKind.PATCHED).toString(),
      "--visible-within",
      visibleWithin,
      "--log-limit",
      "64"
    };
  }

  /** The log of the oldest job. */
  private void inspect() throws Exception {
    String job = job(0).manifest().id();
    assertEquals(0, commands.start("receive", "--inspect", job).waitFor(), commands.said());
  }

  /** A client that sends all the time notices nothing; every job can be verified by itself. */
  @Test
  void jobsFollowOneAnother() throws Exception {
    long start = 1_704_067_200;
    Process receiver = receive("--job-span", "3s", "--visible-within", "1s");
    TreeMap<Long, Double> sent = new TreeMap<>();
    // The first job lasts until the store is there, and then three seconds.
    for (int n = 0; n < 500 || jobs().size() < 3; n++) {
      assertEquals(204, post("/write?precision=s", METRIC + ",h=a v=" + n + " " + (start + n)));
      sent.put(start + n, (double) n);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    stop(receiver);
    assertEquals(sent, points(start));
    List<JobFolder.Entry> jobs = jobs();
    long read = 0;
    for (JobFolder.Entry job : jobs) {
      assertEquals(JobState.LOADED, job.history().state(), commands.said());
      read += job.history().counts().read();
    }
    assertEquals(sent.size(), read);
    String first = jobs.get(0).manifest().id();
    assertEquals(
        0,
        commands.start("verify", "--job", first, "--level", "counts").waitFor(),
        commands.said());
    assertEquals(0, commands.start("job", "rollback", first, "--yes").waitFor(), commands.said());
    long ofFirst = jobs.get(0).history().counts().read();
    assertEquals(sent.tailMap(start + ofFirst), points(start));
  }

  private List<JobFolder.Entry> jobs() throws IOException {
    return new JobFolder(commands.jobs()).list().jobs();
  }

  /** What {@code loadtest inch} writes is there, each series with each of its points. */
  @Test
  void inchIsReceived() throws Exception {
    Process receiver = receive("--visible-within", "1h");
    String inch =
        "loadtest inch -host http://127.0.0.1:%d -t 5,4 -p 30 -b 100 -c 2 -gzip"
            + " -start-time 2024-01-01T01:00:00Z -time 30m";
    int code = Packhorse.commandLine().execute(inch.formatted(port).split(" "));
    assertEquals(0, code);
    stop(receiver);
    JobFolder.Entry job = job(0);
    assertEquals(600, job.history().counts().packed(), commands.said());
    assertEquals(20, columns(job).size(), "a cell each series");
    String log = Files.readString(commands.jobs().resolve(job.manifest().id()).resolve("log"));
    assertTrue(log.contains("600 points taken  600 points of complete hours stored"), log);
    assertEquals(
        0,
        commands.start("verify", "--job", job.manifest().id(), "--level", "counts").waitFor(),
        commands.said());
  }

  /**
   * HBase is killed, and started again later. The receiver answers 204 until its log is full, then
   * 503. Afterwards every answered point is stored once.
   */
  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void theLogTakesWhatComesWhileHBaseIsAway() throws Exception {
    EmbeddedServer hbase = EmbeddedServer.current(store);
    Process receiver = receive(clusterOptions("1s"));
    long start = 1_704_067_200;
    TreeMap<Long, Double> answered = new TreeMap<>();
    assertEquals(204, sendLong(start, answered).statusCode());
    awaitPoints(answered, start);
    ProcessHandle.of(hbase.hbase().pid()).orElseThrow().destroyForcibly();
    long killed = System.nanoTime();
    // Until the log is full after two thirds of the time.
    long paceNs = OUTAGE_NS * 2 / 3 / (64 * LONG_BODIES_A_MIB);
    HttpResponse<String> answer = sendLong(start, answered);
    while (answer.statusCode() == 204) {
      TimeUnit.NANOSECONDS.sleep(killed + answered.size() * paceNs - System.nanoTime());
      answer = sendLong(start, answered);
    }
    assertTrue(answered.size() > 40 * LONG_BODIES_A_MIB, answered.size() + commands.said());
    while (System.nanoTime() < killed + OUTAGE_NS) {
      TimeUnit.SECONDS.sleep(1);
      answer = sendLong(start, answered);
    }
    assertEquals(503, answer.statusCode());
    assertEquals("5", answer.headers().firstValue("Retry-After").orElse(""));
    assertEquals(503, get("/health"));
    // HBase's client tries for a minute before it gives up.
    boolean isAway = text("/metrics").contains("packhorse_receive_store_away 1\n");
    assertTrue(isAway || OUTAGE_NS < TimeUnit.MINUTES.toNanos(3), text("/metrics"));
    EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    int before = answered.size();
    while (answered.size() < before + 10) {
      if (sendLong(start, answered).statusCode() == 503) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
    awaitPoints(answered, start);
    assertTrue(text("/metrics").contains("packhorse_receive_store_away 0\n"), text("/metrics"));
    stop(receiver);
    JobFolder.Entry job = job(0);
    assertEquals(JobState.LOADED, job.history().state(), commands.said());
    assertEquals(answered.size(), job.history().counts().packed());
    assertEquals(answered, points(start));
  }

  /** Sends the next point, in a body that takes much of the log. */
  private HttpResponse<String> sendLong(long start, SortedMap<Long, Double> answered)
      throws Exception {
    int n = answered.size();
    String text = "x".repeat((1 << 20) / LONG_BODIES_A_MIB);
    HttpResponse<String> answer =
        sent(
            HttpRequest.newBuilder(uri("/write?precision=s"))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        METRIC + ",h=a v=" + n + ",text=\"" + text + "\" " + (start + n)))
                .build());
    if (answer.statusCode() == 204) {
      answered.put(start + n, (double) n);
    }
    return answer;
  }

  private Process receive(String... options) throws Exception {
    Process receiver = start(options);
    while (status("/health") != 200) {
      assertTrue(receiver.isAlive(), commands.said());
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return receiver;
  }

  private Process start(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("receive", "--http", String.valueOf(port)));
    arguments.addAll(List.of(options));
    return commands.start(arguments.toArray(String[]::new));
  }

  /** Status of a page; 0 while nobody listens. */
  private int status(String path) throws Exception {
    try {
      return get(path);
    } catch (IOException notYet) {
      return 0;
    }
  }

  private void stop(Process receiver) throws Exception {
    receiver.destroy();
    assertTrue(receiver.waitFor(2, TimeUnit.MINUTES), commands.said());
  }

  private int get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private int post(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  private int send(HttpRequest request) throws Exception {
    return sent(request).statusCode();
  }

  private HttpResponse<String> sent(HttpRequest request) throws Exception {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private String text(String path) throws Exception {
    return sent(HttpRequest.newBuilder(uri(path)).build()).body();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Waits until OpenTSDB answers with these points; the timeout of the test ends it. */
  private void awaitPoints(SortedMap<Long, Double> expected, long start) throws Exception {
    while (!points(start).equals(expected)) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private SortedMap<Long, Double> points(long start) throws Exception {
    URI tsd = EmbeddedServer.current(store).tsd(TsdKind.PATCHED).orElseThrow().url();
    String query =
        "/api/query?start="
            + (start - 40_000)
            + "&end="
            + (start + 4000)
            + "&m=none:"
            + METRIC
            + ".v%7Bh=a%7D";
    TreeMap<Long, Double> points = new TreeMap<>();
    JsonNode answer;
    try (InputStream in = tsd.resolve(query).toURL().openStream()) {
      answer = new ObjectMapper().readTree(in);
    } catch (IOException noSuchNameYet) {
      return points;
    }
    for (JsonNode series : answer) {
      series
          .get("dps")
          .properties()
          .forEach(
              point -> points.put(Long.parseLong(point.getKey()), point.getValue().asDouble()));
    }
    return points;
  }

  private JobFolder.Entry job(int number) throws Exception {
    return jobs().get(number);
  }

  private Set<String> columns(JobFolder.Entry job) throws Exception {
    Set<String> columns = new TreeSet<>();
    try (Cluster cluster = Cluster.connect(EmbeddedServer.current(store).zookeeperQuorum(), null)) {
      new LoaderColumns(cluster.connection(), StoreTables.DATA)
          .scan(
              job.history().loaders(),
              row ->
                  row.columns()
                      .forEach(
                          column ->
                              columns.add(
                                  HexFormat.of().formatHex(row.rowKey())
                                      + HexFormat.of().formatHex(column.qualifier()))));
    }
    return columns;
  }
}
