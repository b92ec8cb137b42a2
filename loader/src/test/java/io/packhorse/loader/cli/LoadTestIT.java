package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.loadtest.WorkloadFile;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A TSD is driven for some seconds with readers beside, and every point is there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LoadTestIT {
  private static final String WORKLOAD =
      """
      name: it
      metrics: [%s]
      tags: {site: 4, sensor: 25}
      values: {kind: walk, max: 5000, decimals: 2}
      batch: 20
      visible-within: 2s
      phases: {warm-up: 2s, hold: 8s}
      readers:
        - {name: raw, where: {site: any}, range: 1m, rate: 4}
        - {name: sums, aggregator: sum, where: {site: any}, range: 1m, rate: 2}
        - {name: coarse, aggregator: max, downsample: 2s-avg, range: 1m, rate: 2}
      limits:
        - write.done >= 100%%
        - raw.errors <= 0%%
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private record Ended(int code, String out, String err) {
    JsonNode result() throws Exception {
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @Test
  void aTsdIsDrivenAndItsAnswersAreRight() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    Path file = Files.writeString(folder.resolve("w.yaml"), WORKLOAD.formatted("it.loadtest"));
    Ended ended = run(file, tsd, "out");
    JsonNode result = ended.result();
    // A busy machine makes the generator late; then figures are invalid, but answers right.
    assertTrue(
        ended.code() == ExitCode.OK.code() || ended.code() == ExitCode.INVALID.code(),
        ended.out() + ended.err());
    assertEquals(0, result.get("answers_wrong").asLong(), ended.out());
    assertTrue(result.get("answers_right").asLong() > 20, ended.out());
    assertEquals(800, result.get("calls").get(0).get("done").asLong(), ended.out());
    // A TSD answers before it has stored the last points.
    while (points(tsd, "it.loadtest") < 1000) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertEquals(1000, points(tsd, "it.loadtest"));
  }

  private static int points(URI tsd, String metric) throws Exception {
    long now = System.currentTimeMillis();
    TsdClient client = new TsdClient(tsd);
    return client.parse(client.raw(now - 600_000, now, "none:" + metric)).stream()
        .mapToInt(series -> series.points().size())
        .sum();
  }

  /** History goes through the packing path, live points as lines over TCP, readers ask for both. */
  @Test
  void historyIsFilledVerifiedAndReadBesideLivePoints() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    Path file =
        Files.writeString(
            folder.resolve("w.yaml"),
            """
            metrics: [it.loadtest.history, it.loadtest.other]
            tags: {site: 4, sensor: 5}
            interval: 2s
            values: {kind: gauge, max: 5000, hold: 7, decimals: 1}
            history: {from: 2025-03-01, span: 2d}
            visible-within: 2s
            phases: {hold: 6s}
            readers:
              - {name: raw, at: history, where: {site: any}, range: 30m, rate: 4}
              - {name: days, at: history, aggregator: sum, downsample: 1h-max, range: 7d, rate: 2}
              - {name: newest, where: {site: any}, range: 1m, rate: 2}
            limits: [write.done >= 100%, raw.errors <= 0%, write.max < 60s]
            """);
    String[] store = {
      "--dir", server.store().root().toString(), "--jobs-dir", folder.resolve("jobs").toString()
    };
    Ended filled = execute(with(store, "loadtest", "fill", file.toString(), "--job", "it-history"));
    assertEquals(0, filled.code(), filled.err());
    assertTrue(filled.err().contains("40 series x 86,400 points"), filled.err());
    Ended verified = execute(with(store, "verify", "--job", "it-history"));
    assertEquals(0, verified.code(), verified.out() + verified.err());
    Ended ended =
        run(file, tsd, "out", "--protocol", "telnet", "--dir", server.store().root().toString());
    JsonNode hbase = ended.result().get("hbase");
    assertEquals("", hbase.get("missing").asText(), hbase.toString());
    assertEquals(1, hbase.get("servers").size(), hbase.toString());
    assertTrue(hbase.get("servers").get(0).get("writes").asLong() >= 40, hbase.toString());
    assertTrue(
        ended.code() == ExitCode.OK.code() || ended.code() == ExitCode.INVALID.code(),
        ended.out() + ended.err());
    assertEquals(120, ended.result().get("calls").get(0).get("done").asLong(), ended.out());
    assertTrue(ended.result().get("answers_right").asLong() > 30, ended.out());

    Ended beside = execute("loadtest", "fill", file.toString(), "--span", "1d");
    assertEquals(ExitCode.USAGE.code(), beside.code());
    assertTrue(beside.err().contains("--span is in "), beside.err());
    Ended dry = execute("loadtest", "run", file.toString(), "--dry", "--json");
    assertTrue(dry.result().get("points").asLong() > 0, dry.out());

    Files.writeString(
        file,
        Files.readString(file)
            .replace("hold: 6s", "hold: 2s")
            .replace("write.max < 60s", "write.p50 < 0ms"));
    Ended limit = run(file, tsd, "limit", "--find-limit");
    // A busy machine makes the generator late, which ends the search.
    boolean late = limit.code() == ExitCode.INVALID.code();
    assertTrue(late || limit.code() == ExitCode.MISSED.code(), limit.out() + limit.err());
    int steps = limit.result().get("steps").size();
    assertTrue(late || steps > 3, limit.out());
    assertTrue(Files.exists(folder.resolve("limit/step-" + steps + "/report.html")));
  }

  /**
   * The same points, packed in the driver: a cell for each series and hour, and all of them there.
   */
  @Test
  void pointsAreStoredAsPackedCells() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    String metric = "it.loadtest.packed";
    Path file =
        Files.writeString(
            folder.resolve("w.yaml"),
            WORKLOAD.formatted(metric).replace("limits:", "limits:\n  - write.p99 < 60s"));
    String[] packing = {
      "--pack", "--visible-within", "2s", "--dir", server.store().root().toString()
    };
    String[] run = {"loadtest", "run", file.toString(), "--out", folder + "/out", "--json"};
    Ended ended = execute(with(packing, run));
    JsonNode result = ended.result();
    assertTrue(
        ended.code() == ExitCode.OK.code() || ended.code() == ExitCode.INVALID.code(),
        ended.out() + ended.err());
    assertEquals(0, result.get("answers_wrong").asLong(), ended.out());
    assertTrue(result.get("answers_right").asLong() > 20, ended.out());
    JsonNode writes = result.get("calls").get(0);
    assertEquals(800, writes.get("done").asLong(), ended.out());
    // Answers come with cells, which are written every one or two seconds.
    assertTrue(writes.get("response_ms").get("p50").asDouble() > 100, ended.out());
    assertEquals(1000, points(tsd, metric));
    // A cell for each series each time, and not a row for each point.
    long stored = result.get("hbase").get("servers").get(0).get("writes").asLong();
    assertTrue(stored >= 100, ended.out());
  }

  @Test
  void optionsOfPackingAreChecked() throws Exception {
    Path file = Files.writeString(folder.resolve("w.yaml"), WORKLOAD.formatted("it.loadtest.none"));
    assertRefused("exclude each other", file, "--pack", "--target", "http://127.0.0.1:1");
    assertRefused("--against-protocol", file, "--pack", "--protocol", "line");
    assertRefused("--pack needs --query URL", file, "--pack", "--zookeeper", "none:1");
    assertRefused("leave one of them out", file, "--pack", "--dry");
    assertRefused("must be 1s to 1h", file, "--pack", "--visible-within", "2h");
    assertRefused(
        "is for --pack", file, "--target", "http://127.0.0.1:1", "--visible-within", "2s");
    Files.writeString(file, Files.readString(file).replace("batch:", "loop: closed\nbatch:"));
    assertRefused("--pack needs loop: open", file, "--pack");
  }

  private static void assertRefused(String why, Path file, String... options) {
    Ended ended = execute(with(options, "loadtest", "run", file.toString()));
    assertEquals(ExitCode.USAGE.code(), ended.code(), ended.err());
    assertTrue(ended.err().contains(why), ended.err());
  }

  private static String[] with(String[] more, String... arguments) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  /** Somebody else writes values under the same names, a moment later. */
  @Test
  void wrongAnswersAreFound() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    String metric = "it.loadtest.wrong";
    Path file = Files.writeString(folder.resolve("w.yaml"), WORKLOAD.formatted(metric));
    AtomicReference<Ended> ended = new AtomicReference<>();
    int port = freePort();
    Thread test =
        new Thread(() -> ended.set(run(file, tsd, "out", "--live", Integer.toString(port))));
    test.start();
    String page = "";
    while (test.isAlive()) {
      long second = System.currentTimeMillis() / 1000 - 2;
      put(
          tsd,
          "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":-7,\"tags\":{\"site\":\"site1\",\"sensor\":\"sensor3\"}}"
              .formatted(metric, second));
      test.join(300);
      page = page.contains("Running: ") ? page : get(port, page);
    }
    assertTrue(page.contains("Running: ") && page.contains("http-equiv=\"refresh\""), page);
    assertEquals(ExitCode.VERIFICATION.code(), ended.get().code(), ended.get().out());
    String example = ended.get().result().get("wrong_examples").get(0).asText();
    assertTrue(example.contains(", not "), example);
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String get(int port, String otherwise) throws Exception {
    try {
      URI page = URI.create("http://127.0.0.1:" + port + "/");
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return otherwise;
    }
  }

  private static void put(URI tsd, String point) throws Exception {
    HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(tsd.resolve("/api/put"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(point))
                .build(),
            HttpResponse.BodyHandlers.discarding());
  }

  @Test
  void theSampleIsAWorkloadAndMistakesAreTold() throws Exception {
    Path file = folder.resolve("sample.yaml");
    assertEquals(0, execute("loadtest", "init", file.toString()).code());
    assertTrue(execute("loadtest", "init", file.toString()).err().contains("exists already"));
    Files.writeString(
        file,
        Files.readString(file)
            .replace("hold: 1m", "hold: 1s")
            .replace("ramp: 20s", "ramp: 2s")
            .replace("warm-up: 10s", "warm-up: 0s"));
    Ended ended =
        execute(
            "loadtest",
            "run",
            file.toString(),
            "--target",
            "http://127.0.0.1:1",
            "--against",
            "http://127.0.0.1:2",
            "--out",
            folder.resolve("o").toString());
    assertTrue(ended.code() == ExitCode.MISSED.code() || ended.code() == ExitCode.INVALID.code());
    assertTrue(ended.out().contains("failed: connection refused"), ended.out());
    assertTrue(ended.out().contains("compared  write p99"), ended.out());
    assertTrue(Files.exists(folder.resolve("o/against/report.html")));
    Ended compared = execute("loadtest", "compare", folder + "/o", folder + "/o/against");
    assertEquals(0, compared.code(), compared.err());
    assertTrue(compared.out().contains("response p99 ms"), compared.out());
    assertFalse(compared.out().contains("DIFFERENT"), compared.out());
    ended = execute("loadtest", "compare", folder + "/o", folder + "/nothing");
    assertEquals(ExitCode.USAGE.code(), ended.code());
    assertTrue(ended.err().contains("nothing/result.json"), ended.err());
    ended =
        execute(
            "loadtest", "run", folder.resolve("none").toString(), "--target", "http://127.0.0.1:1");
    assertEquals(ExitCode.USAGE.code(), ended.code());
    assertTrue(ended.err().contains("packhorse loadtest init"), ended.err());
  }

  @Test
  void everyNamedWorkloadIsOne() throws Exception {
    for (WorkloadName name : WorkloadName.values()) {
      Path file = folder.resolve(name + ".yaml");
      assertEquals(
          0, execute("loadtest", "init", file.toString(), "--workload", name.toString()).code());
      assertEquals(name.toString(), WorkloadFile.read(file).name());
      Ended dry = execute("loadtest", "run", "--workload", name.toString());
      assertTrue(dry.err().contains("--target URL is missing"), dry.err());
    }
    Ended both = execute("loadtest", "run", folder + "/homes.yaml", "--workload", "homes", "--dry");
    assertEquals(ExitCode.USAGE.code(), both.code());
    assertTrue(both.err().contains("exclude each other"), both.err());
    Ended neither = execute("loadtest", "run", "--target", "http://127.0.0.1:1");
    assertEquals(ExitCode.USAGE.code(), neither.code());
    assertTrue(neither.err().contains("FILE or --workload"), neither.err());
    Ended empty = execute("loadtest", "fill", "--workload", "inch");
    assertEquals(ExitCode.USAGE.code(), empty.code());
    assertTrue(empty.err().contains("inch has no history"), empty.err());
    Ended ended = execute("loadtest", "init", folder + "/x.yaml", "--workload", "x");
    assertEquals(ExitCode.USAGE.code(), ended.code());
    assertTrue(
        ended.err().contains("[production, reference, homes, tsbs-cpu, inch, samples]"),
        ended.err());
  }

  private Ended run(Path file, URI tsd, String out, String... more) {
    return execute(
        with(
            more,
            "loadtest",
            "run",
            file.toString(),
            "--target",
            tsd.toString(),
            "--out",
            folder.resolve(out).toString(),
            "--json"));
  }

  private static Ended execute(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Ended(code, out.toString(), err.toString());
  }
}
