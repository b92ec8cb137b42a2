package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A receiver killed at random moments, HBase, or both, while two clients send and repeat what was
 * not answered; then every answered point is read from OpenTSDB.
 *
 * <p>With {@code -Dpackhorse.kills=200} there are so many kills; {@code -Dpackhorse.seed=N} repeats
 * a run as far as the machine's speed allows.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
final class KilledReceiverIT {
  private static final int KILLS = Integer.getInteger("packhorse.kills", 3);
  private static final long SEED = Long.getLong("packhorse.seed", System.nanoTime());
  private static final int CLIENTS = 2;
  private static final int SERIES = 5;
  private static final int PAUSE_MS = 10;

  /** Points of a client that are read at once. */
  private static final int READ_MAX = 100_000;

  private static final long START_S = 1_704_067_200;
  private static final String METRIC = "it.receive.kill";

  /** Kept if the test fails, so that the store and the logs can be looked into. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder = Path.of("");

  private ReceiverProcess commands = new ReceiverProcess(folder);
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final AtomicBoolean sending = new AtomicBoolean(true);
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong repeats = new AtomicLong();

  @Test
  void whatWasAnsweredIsThereOnceAndRight() throws Exception {
    commands = new ReceiverProcess(folder);
    StoreDirectory store = StoreDirectory.open(commands.store());
    EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    int port = ReceiverProcess.freePort();
    try {
      Process receiver = receive(port);
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Client client = new Client(i, port, random.split());
        clients.add(client);
        client.start();
      }
      for (int kill = 0; kill < KILLS; kill++) {
        awaitAnswer(receiver);
        if (random.nextInt(3) == 0) {
          awaitStore(receiver, port);
        }
        receiver.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
        int victim = random.nextInt(4);
        if (victim >= 2) {
          // It may be away since the last time: the receiver answers all the same.
          Optional<ProcessHandle> hbase =
              ProcessHandle.of(EmbeddedServer.current(store).hbase().pid());
          if (hbase.isPresent()) {
            kill(hbase.get());
          }
        }
        if (victim != 2) {
          kill(receiver.toHandle());
          receiver = receive(port);
        }
        log(kill, List.of("receiver", "receiver", "HBase", "both").get(victim));
      }
      // A receiver that starts brings HBase back, if that was killed last.
      kill(receiver.toHandle());
      receiver = receive(port);
      awaitAnswer(receiver);
      awaitStore(receiver, port);
      sending.set(false);
      for (Client client : clients) {
        client.join();
        assertEquals("", client.failure, said());
      }
      receiver.destroy();
      assertTrue(receiver.waitFor(2, TimeUnit.MINUTES), said());
      check(clients, EmbeddedServer.current(store));
      checkJobs();
    } finally {
      sending.set(false);
      EmbeddedServer.stop(store);
    }
  }

  /** Sends numbered points of its own series, in batches, each until it is answered. */
  private final class Client extends Thread {
    private final int number;
    private final URI url;
    private final SplittableRandom ofClient;
    private final HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private volatile int answered;
    private volatile int sent;
    private volatile String failure = "";

    Client(int number, int port, SplittableRandom ofClient) {
      this.number = number;
      this.url = URI.create("http://127.0.0.1:" + port);
      this.ofClient = ofClient;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        while (sending.get()) {
          sent = answered + 1 + ofClient.nextInt(200);
          boolean influx = ofClient.nextBoolean();
          boolean gzip = ofClient.nextBoolean();
          while (!send(influx, gzip)) {
            repeats.incrementAndGet();
            Thread.sleep(50);
          }
          answered = sent;
          answers.incrementAndGet();
          // They are answered while HBase is away too, and all that they send is read in the end.
          Thread.sleep(PAUSE_MS);
        }
      } catch (IOException | InterruptedException | RuntimeException e) {
        failure = e.toString();
      }
    }

    private boolean send(boolean influx, boolean gzip) throws IOException, InterruptedException {
      byte[] body = (influx ? lines() : json()).getBytes(StandardCharsets.US_ASCII);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(url.resolve(influx ? "/write?precision=s" : "/api/put"))
              .timeout(Duration.ofSeconds(20))
              .POST(HttpRequest.BodyPublishers.ofByteArray(gzip ? gzipped(body) : body));
      if (gzip) {
        request.header("Content-Encoding", "gzip");
      }
      try {
        HttpResponse<String> answer =
            http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 204 && answer.statusCode() != 503) {
          throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return answer.statusCode() == 204;
      } catch (IOException unanswered) {
        return false;
      }
    }

    private String lines() {
      StringBuilder body = new StringBuilder();
      for (int n = answered; n < sent; n++) {
        body.append(METRIC)
            .append(",client=c" + number)
            .append(",series=s" + n % SERIES)
            .append(" v=" + value(number, n) + "i ")
            .append(START_S + n)
            .append('\n');
      }
      return body.toString();
    }

    private String json() {
      List<String> points = new ArrayList<>();
      for (int n = answered; n < sent; n++) {
        points.add(
            String.format(
                "{\"metric\":\"%s.v\",\"timestamp\":%d,\"value\":%d,"
                    + "\"tags\":{\"client\":\"c%d\",\"series\":\"s%d\"}}",
                METRIC, START_S + n, value(number, n), number, n % SERIES));
      }
      return points.toString();
    }
  }

  private static long value(int client, int n) {
    return (n * 2_654_435_761L + client) % 1_000_003;
  }

  private static byte[] gzipped(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    }
    return bytes.toByteArray();
  }

  /** Open hours are published often, and jobs change often, so that kills meet that too. */
  private Process receive(int port) throws IOException {
    return commands.start(
        "receive",
        "--http",
        String.valueOf(port),
        "--visible-within",
        1 + random.nextInt(3) + "s",
        "--job-span",
        4 + random.nextInt(8) + "s");
  }

  /** Waits for answers that a receiver gives from now on, whether HBase is there or not. */
  private void awaitAnswer(Process receiver) throws Exception {
    long before = answers.get();
    await(receiver, () -> answers.get() >= before + CLIENTS);
  }

  /** Waits until a receiver stores what it takes: HBase is there, and no log of others is left. */
  private void awaitStore(Process receiver, int port) throws Exception {
    HttpRequest metrics =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    HttpClient http = HttpClient.newHttpClient();
    await(
        receiver,
        () -> {
          String page = http.send(metrics, HttpResponse.BodyHandlers.ofString()).body();
          return page.contains("packhorse_receive_store_away 0\n")
              && page.contains("packhorse_receive_left_log_bytes 0\n");
        });
  }

  private void await(Process receiver, Callable<Boolean> condition) throws Exception {
    long latest = System.nanoTime() + TimeUnit.MINUTES.toNanos(20);
    while (!condition.call()) {
      assertTrue(receiver.isAlive(), said());
      assertTrue(System.nanoTime() < latest, said());
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private void check(List<Client> clients, EmbeddedServer server) throws Exception {
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    int all = 0;
    for (Client client : clients) {
      boolean[] found = new boolean[client.sent];
      for (int from = 0; from < client.sent; from += READ_MAX) {
        read(tsd, client, from, Math.min(from + READ_MAX, client.sent), found);
      }
      for (int n = 0; n < client.answered; n++) {
        assertTrue(found[n], "client " + client.number + " point " + n + ", " + said());
      }
      all += client.answered;
    }
    note(
        String.format(
            "%s seed %d, %d kills: %,d answered points, all there, %d repeats",
            Instant.now(), SEED, KILLS, all, repeats.get()));
  }

  /** Marks the points that are there; what is there must be right. */
  private void read(URI tsd, Client client, int from, int to, boolean[] found) throws Exception {
    String query =
        "/api/query?start="
            + (START_S + from)
            + "&end="
            + (START_S + to - 1)
            + "&m=none:"
            + METRIC
            + ".v%7Bclient=c"
            + client.number
            + ",series=*%7D";
    JsonNode series = new ObjectMapper().readTree(answer(tsd.resolve(query)));
    for (JsonNode each : series) {
      int of = Integer.parseInt(each.get("tags").get("series").asText().substring(1));
      each.get("dps")
          .properties()
          .forEach(
              point -> {
                int n = (int) (Long.parseLong(point.getKey()) - START_S);
                assertEquals(of, n % SERIES);
                assertEquals(value(client.number, n), point.getValue().asLong());
                found[n] = true;
              });
    }
  }

  /** The answer of a TSD that may wait for HBase, which came back a moment ago. */
  private String answer(URI query) throws Exception {
    long latest = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    HttpClient http = HttpClient.newHttpClient();
    while (true) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(query).timeout(Duration.ofMinutes(3)).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        return answer.body();
      }
      boolean mayPass = answer.statusCode() >= 500 && System.nanoTime() < latest;
      assertTrue(mayPass, answer.statusCode() + " " + answer.body() + ", " + said());
      TimeUnit.SECONDS.sleep(1);
    }
  }

  /** Every job says that all is stored, and what its cells hold is what it counted. */
  private void checkJobs() throws Exception {
    List<JobFolder.Entry> jobs = new JobFolder(commands.jobs()).list().jobs();
    assertTrue(!jobs.isEmpty());
    for (JobFolder.Entry job : jobs) {
      assertEquals(JobState.LOADED, job.history().state(), said());
      assertEquals(List.of(), logOf(job));
      Process verify = commands.start("verify", "--job", job.manifest().id(), "--level", "counts");
      assertEquals(0, verify.waitFor(), said());
    }
  }

  private static List<Path> logOf(JobFolder.Entry job) throws IOException {
    Path log = job.folder().resolve("received");
    return Files.exists(log) ? List.of(log) : List.of();
  }

  private static void kill(ProcessHandle process) throws Exception {
    process.destroyForcibly();
    process.onExit().get(1, TimeUnit.MINUTES);
  }

  private void log(int kill, String victim) throws IOException {
    note(
        String.format(
            "%s seed %d, kill %d: %s, %,d answers",
            Instant.now(), SEED, kill + 1, victim, answers.get()));
  }

  private static void note(String line) throws IOException {
    Files.writeString(
        Path.of("target", "kills.log"),
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private String said() {
    return "seed " + SEED + ", files in " + folder + "\n" + commands.said();
  }
}
