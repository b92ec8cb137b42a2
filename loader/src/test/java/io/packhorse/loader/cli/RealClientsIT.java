package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of others send to a receiver, as they are. One that is not installed is skipped, with
 * its name: Prometheus and collectd are packages of Debian, the Python libraries come from PyPI,
 * vmagent from {@code go install github.com/VictoriaMetrics/VictoriaMetrics/app/vmagent@v1.151.0},
 * Telegraf from {@code go install github.com/influxdata/telegraf/cmd/telegraf@v1.37.2}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RealClientsIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path folder = Path.of("");
  private static ReceiverProcess commands = new ReceiverProcess(folder);
  private static StoreDirectory store = new StoreDirectory(folder);
  private static URI tsd = URI.create("");
  private static @Nullable Process receiver;
  private static int httpPort;
  private static int telnetPort;
  private static int influxPort;

  private final List<Process> clients = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    commands = new ReceiverProcess(folder);
    store = StoreDirectory.open(commands.store());
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    httpPort = ReceiverProcess.freePort();
    telnetPort = ReceiverProcess.freePort();
    influxPort = ReceiverProcess.freePort();
    Process started =
        commands.start(
            "receive",
            "--http",
            String.valueOf(httpPort),
            "--telnet",
            String.valueOf(telnetPort),
            "--influx-tcp",
            String.valueOf(influxPort),
            "--replace-characters",
            "--visible-within",
            "1s");
    receiver = started;
    awaitAnswer(receiver("/health"), 200);
  }

  @AfterAll
  static void stop() throws Exception {
    if (receiver != null) {
      receiver.destroy();
      receiver.waitFor();
    }
    EmbeddedServer.stop(store);
  }

  @AfterEach
  void stopClients() throws Exception {
    for (Process client : clients) {
      client.destroy();
      client.waitFor();
    }
  }

  /** Scrapes itself each second; its own answer is compared with OpenTSDB's. */
  @Test
  void prometheus() throws Exception {
    assumeInstalled("prometheus", "--version");
    Path configuration = folder.resolve("prometheus.yml");
    int port = ReceiverProcess.freePort();
    Files.writeString(
        configuration,
        """
        global: {scrape_interval: 1s}
        scrape_configs:
          - job_name: self
            static_configs: [{targets: ['127.0.0.1:%d']}]
        remote_write:
          - url: http://127.0.0.1:%d/api/v1/write
            queue_config: {batch_send_deadline: 1s}
        """
            .formatted(port, httpPort));
    client(
        "prometheus",
        "--config.file=" + configuration,
        "--storage.tsdb.path=" + folder.resolve("prometheus"),
        "--web.listen-address=127.0.0.1:" + port);
    Map<Long, Double> stored = awaitPoints(10, "process_resident_memory_bytes", "job=self");
    long last = stored.keySet().stream().mapToLong(time -> time).max().orElseThrow();
    JsonNode own =
        json(
            URI.create(
                "http://127.0.0.1:"
                    + port
                    + "/api/v1/query?query="
                    + encoded("process_resident_memory_bytes[10m]")));
    Map<Long, Double> scraped = new TreeMap<>();
    for (JsonNode sample : own.at("/data/result/0/values")) {
      long time = Math.round(sample.get(0).asDouble() * 1000);
      if (time <= last) {
        scraped.put(time, sample.get(1).asDouble());
      }
    }
    assertEquals(scraped, stored);
    assertSameGraph(port, scraped.keySet().iterator().next(), last);
    JsonNode failed =
        json(
            URI.create(
                "http://127.0.0.1:"
                    + port
                    + "/api/v1/query?query=prometheus_remote_storage_samples_failed_total"));
    assertEquals(0, failed.at("/data/result/0/value/1").asDouble(-1));
  }

  /**
   * The last value of each two seconds, which Prometheus has a millisecond before the next ones.
   */
  private static void assertSameGraph(int port, long firstMs, long lastMs) throws Exception {
    String metric = "process_resident_memory_bytes";
    long start = (firstMs / 2000 + 1) * 2000;
    long end = lastMs / 2000 * 2000;
    URI own =
        URI.create(
            String.format(
                "http://127.0.0.1:%d/api/v1/query_range?query=%s&start=%d.999&end=%d.999&step=2",
                port, metric, start / 1000 + 1, end / 1000 - 1));
    Map<Long, Double> drawn = new TreeMap<>();
    for (JsonNode sample : json(own).at("/data/result/0/values")) {
      drawn.put(Math.round(sample.get(0).asDouble() * 1000) - 1999, sample.get(1).asDouble());
    }
    String query =
        String.format(
            "/api/query?ms&start=%d&end=%d&m=none:2s-last:%s%s",
            start, end - 1, metric, encoded("{job=self}"));
    assertTrue(drawn.size() >= 3, drawn.toString());
    assertEquals(drawn, values(json(tsd.resolve(query))));
  }

  /**
   * Line protocol with a point of one series each second.
   *
   * @param zeros what a time in seconds lacks to the unit of the times
   * @param sent gets the points, by milliseconds
   */
  private static String lines(String measurement, String zeros, Map<Long, Double> sent) {
    StringBuilder lines = new StringBuilder();
    long start = System.currentTimeMillis() / 1000 - 500;
    for (int i = 0; i < 200; i++) {
      sent.put((start + i) * 1000, i * 0.25);
      lines.append(measurement + ",host=a v=" + i * 0.25 + " " + (start + i) + zeros + "\n");
    }
    return lines.toString();
  }

  /** Tries its own protocol first, then remote write, with what others have sent to it. */
  @Test
  void vmagent() throws Exception {
    assumeInstalled("vmagent", "-version");
    int port = ReceiverProcess.freePort();
    client(
        "vmagent",
        "-httpListenAddr=127.0.0.1:" + port,
        "-remoteWrite.url=http://127.0.0.1:" + httpPort + "/api/v1/write",
        "-remoteWrite.tmpDataPath=" + folder.resolve("vmagent"),
        "-remoteWrite.flushInterval=200ms");
    Map<Long, Double> sent = new TreeMap<>();
    String lines = lines("vmagent", "", sent);
    URI write = URI.create("http://127.0.0.1:" + port + "/write?precision=s");
    awaitAnswer(URI.create("http://127.0.0.1:" + port + "/health"), 200);
    HttpRequest request =
        HttpRequest.newBuilder(write).POST(HttpRequest.BodyPublishers.ofString(lines)).build();
    assertEquals(204, HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    assertEquals(sent, awaitPoints(sent.size(), "vmagent_v", "host=a"));
  }

  /** Sends the lines of a file by each of its outputs that the receiver understands. */
  @Test
  void telegraf() throws Exception {
    assumeInstalled("telegraf", "--version");
    Map<Long, Double> sent = new TreeMap<>();
    String lines = lines("file", "000000000", sent);
    Path file = Files.writeString(folder.resolve("telegraf.lines"), lines);
    Path configuration = folder.resolve("telegraf.conf");
    Files.writeString(
        configuration,
        """
        [agent]
          omit_hostname = true
        [[inputs.file]]
          files = ["%1$s"]
          data_format = "influx"
        [[outputs.influxdb]]
          name_override = "tg1"
          urls = ["http://127.0.0.1:%2$d"]
        [[outputs.influxdb_v2]]
          name_override = "tg2"
          urls = ["http://127.0.0.1:%2$d"]
          token = "x"
          organization = "o"
          bucket = "b"
        [[outputs.opentsdb]]
          name_override = "tg3"
          host = "http://127.0.0.1"
          port = %2$d
          http_batch_size = 50
          http_path = "/api/put"
          separator = "."
        [[outputs.opentsdb]]
          name_override = "tg4"
          host = "tcp://127.0.0.1"
          port = %3$d
          separator = "."
        [[outputs.socket_writer]]
          name_override = "tg5"
          address = "tcp://127.0.0.1:%4$d"
          data_format = "influx"
        [[outputs.http]]
          name_override = "tg6"
          # Of several samples of a series in a batch its serializer keeps the last.
          metric_batch_size = 1
          url = "http://127.0.0.1:%2$d/api/v1/write"
          data_format = "prometheusremotewrite"
          [outputs.http.headers]
            Content-Type = "application/x-protobuf"
            Content-Encoding = "snappy"
            X-Prometheus-Remote-Write-Version = "0.1.0"
        """
            .formatted(file, httpPort, telnetPort, influxPort));
    Process telegraf = client("telegraf", "--config", configuration.toString(), "--once");
    assertEquals(0, telegraf.waitFor(), output());
    for (String metric : List.of("tg1.v", "tg2.v", "tg3.v", "tg4.v", "tg5.v", "tg6_v")) {
      assertEquals(sent, awaitPoints(sent.size(), metric, "host=a"), metric);
    }
  }

  /** Sends by its plug-in write_tsdb and writes the same values to a file. */
  @Test
  void collectd() throws Exception {
    assumeInstalled("collectd", "-h");
    Path configuration = folder.resolve("collectd.conf");
    Path csv = folder.resolve("csv");
    Files.writeString(
        configuration,
        """
        Hostname "it-collectd"
        FQDNLookup false
        BaseDir "%s"
        PIDFile "%s"
        Interval 1
        LoadPlugin memory
        LoadPlugin csv
        LoadPlugin write_tsdb
        <Plugin csv>
          DataDir "%s"
        </Plugin>
        <Plugin write_tsdb>
          <Node>
            Host "127.0.0.1"
            Port "%d"
          </Node>
        </Plugin>
        """
            .formatted(folder, folder.resolve("collectd.pid"), csv, telnetPort));
    client("collectd", "-f", "-C", configuration.toString());
    Map<Long, Double> stored = awaitPoints(5, "memory.free.memory", "fqdn=it-collectd");
    Map<Long, Double> written = new TreeMap<>();
    try (var files = Files.walk(csv)) {
      for (Path file : files.filter(each -> each.toString().contains("memory-free")).toList()) {
        for (String line : Files.readAllLines(file)) {
          if (!line.startsWith("epoch")) {
            String[] words = line.split(",", -1);
            written.put(
                Math.round(Double.parseDouble(words[0]) * 1000), Double.parseDouble(words[1]));
          }
        }
      }
    }
    // The files have milliseconds; write_tsdb rounds to the nearest second.
    Map<Long, Double> seconds = new TreeMap<>();
    written.forEach((time, value) -> seconds.put(Math.round(time / 1000.0) * 1000, value));
    stored.forEach((time, value) -> assertEquals(seconds.get(time), value, seconds.toString()));
  }

  /** Each sends 200 points of its own metric, a second apart. */
  @Test
  void pythonLibraries() throws Exception {
    Path python = python();
    Path script = folder.resolve("send.py");
    Files.writeString(
        script,
        """
        import sys
        from datetime import datetime, timezone
        http, telnet, start = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
        values = [(start + i, i * 0.25) for i in range(200)]

        import influxdb
        one = influxdb.InfluxDBClient('127.0.0.1', http, database='it')
        one.create_database('it')
        one.write_points([{'measurement': 'py.influx1', 'tags': {'host': 'a'}, 'time': t,
                           'fields': {'v': v}} for t, v in values], time_precision='s')

        import influxdb_client
        from influxdb_client.client.write_api import SYNCHRONOUS
        two = influxdb_client.InfluxDBClient('http://127.0.0.1:%d' % http, token='x', org='o')
        two.write_api(write_options=SYNCHRONOUS).write('it', 'o', [
            influxdb_client.Point('py.influx2').tag('host', 'a').field('v', v)
            .time(datetime.fromtimestamp(t, timezone.utc)) for t, v in values])

        import opentsdb
        tsdb = opentsdb.TSDBClient('127.0.0.1', http)
        assert tsdb.is_alive()
        for t, v in values:
            tsdb.send('py.opentsdb.v', v, host='a', timestamp=t)
        tsdb.close()
        tsdb.wait()
        assert tsdb.statuses['success'] == 200, tsdb.statuses

        import potsdb
        lines = potsdb.Client('127.0.0.1', port=telnet, host_tag=False)
        for t, v in values:
            lines.log('py.potsdb.v', v, host='a', timestamp=t)
        lines.wait()
        """);
    long start = System.currentTimeMillis() / 1000 - 500;
    Process client =
        client(
            python.toString(),
            script.toString(),
            String.valueOf(httpPort),
            String.valueOf(telnetPort),
            String.valueOf(start));
    assertEquals(0, client.waitFor(), output());
    Map<Long, Double> sent = new TreeMap<>();
    for (int i = 0; i < 200; i++) {
      sent.put((start + i) * 1000, i * 0.25);
    }
    for (String metric : List.of("py.influx1.v", "py.influx2.v", "py.opentsdb.v", "py.potsdb.v")) {
      assertEquals(sent, awaitPoints(sent.size(), metric, "host=a"), metric);
    }
  }

  /** A Python that has the libraries, installed beside the build once. */
  private Path python() throws Exception {
    assumeInstalled("python3", "--version");
    Path home = Path.of("target", "real-clients").toAbsolutePath();
    Path python = home.resolve("bin").resolve("python");
    List<String> libraries =
        List.of(
            "influxdb==5.3.2", "influxdb-client==1.50.0", "opentsdb-py==0.6.0", "potsdb==1.0.3");
    if (!Files.exists(home.resolve("complete"))) {
      Process made = client("python3", "-m", "venv", home.toString());
      assumeTrue(made.waitFor() == 0, "no Python clients: venv: " + output());
      List<String> install = new ArrayList<>(List.of(python.toString(), "-m", "pip", "install"));
      install.addAll(libraries);
      Process installed = client(install.toArray(String[]::new));
      assumeTrue(installed.waitFor() == 0, "no Python clients: pip: " + output());
      Files.createFile(home.resolve("complete"));
    }
    return python;
  }

  private static void assumeInstalled(String program, String option) throws Exception {
    boolean there;
    try {
      Process asked =
          new ProcessBuilder(program, option)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      asked.waitFor();
      there = true;
    } catch (IOException e) {
      there = false;
    }
    assumeTrue(there, program + " is not installed");
  }

  private Process client(String... command) throws IOException {
    Process client =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    clients.add(client);
    return client;
  }

  private static Path log() {
    return folder.resolve("clients.log");
  }

  private static String output() throws IOException {
    return (Files.exists(log()) ? Files.readString(log()) : "") + commands.said();
  }

  private static Map<Long, Double> awaitPoints(int count, String metric, String tags)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Map<Long, Double> points = points(metric, tags);
    while (points.size() < count) {
      assertTrue(
          System.nanoTime() < end,
          points.size() + " points of " + metric + ", expected " + count + ": " + output());
      TimeUnit.MILLISECONDS.sleep(200);
      points = points(metric, tags);
    }
    return points;
  }

  /** Milliseconds since 1970 and values of the last ten minutes. */
  private static Map<Long, Double> points(String metric, String tags) throws Exception {
    URI query =
        tsd.resolve("/api/query?ms&start=10m-ago&m=none:" + metric + encoded("{" + tags + "}"));
    HttpResponse<String> answer = get(query);
    return answer.statusCode() == 200
        ? values(new ObjectMapper().readTree(answer.body()))
        : new TreeMap<>();
  }

  /** Points of all series of an answer of OpenTSDB. */
  private static Map<Long, Double> values(JsonNode answer) {
    TreeMap<Long, Double> points = new TreeMap<>();
    for (JsonNode series : answer) {
      series
          .get("dps")
          .properties()
          .forEach(
              point -> points.put(Long.parseLong(point.getKey()), point.getValue().asDouble()));
    }
    return points;
  }

  private static void awaitAnswer(URI uri, int status) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      try {
        if (get(uri).statusCode() == status) {
          return;
        }
      } catch (IOException notYet) {
        // It is starting.
      }
      assertTrue(System.nanoTime() < end, uri + " gives no answer: " + output());
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static JsonNode json(URI uri) throws Exception {
    return new ObjectMapper().readTree(get(uri).body());
  }

  private static URI receiver(String path) {
    return URI.create("http://127.0.0.1:" + httpPort + path);
  }

  private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
