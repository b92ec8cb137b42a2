package io.packhorse.loader.receive.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.ReceiverStatus;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.openmetrics.RemoteWriteBytes;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients send, byte by byte, and what they are answered. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@SuppressWarnings("StringConcatToTextBlock") // line ends are part of what is sent
final class ReceiverServerTest {
  private static final int BODY_MAX = 1 << 20;
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final ReceiverStatus STATUS =
      new ReceiverStatus() {
        @Override
        public String text() {
          return "fine\n";
        }

        @Override
        public String metrics() {
          return "packhorse_receive_points_total 1\n";
        }

        @Override
        public String problem() {
          return "";
        }

        @Override
        public String readiness() {
          return "ready for writes";
        }

        @Override
        public String version() {
          return "test";
        }
      };

  @TempDir private Path folder = Path.of("");
  private final List<AutoCloseable> open = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private Intake intake;

  @SuppressWarnings("NullAway.Init")
  private ReceiverServer server;

  private InetSocketAddress http = ANY;
  private InetSocketAddress telnet = ANY;

  @BeforeEach
  void start() throws Exception {
    start(new ReceiverServer.Limits(BODY_MAX, 1 << 24, 100, 30), 1 << 24);
  }

  private void start(ReceiverServer.Limits limits, long logBytesMax) throws Exception {
    SourceSpec spec =
        new SourceSpec(
            Optional.empty(),
            Optional.empty(),
            SeriesRules.NONE,
            TableOptions.NONE,
            new FieldRules(true, true));
    intake =
        new Intake(
            SegmentLog.open(folder.resolve("log" + open.size()), 1 << 16, logBytesMax),
            spec,
            new Intake.Limits(4 << 20, 1 << 20, 3_600_000));
    open.add(intake);
    server =
        new ReceiverServer(
            new CurrentIntake(intake), STATUS, limits, Access.OPEN, ReceiverServer.Ack.DISK, 2);
    open.add(server);
    http = server.listenHttp(ANY);
    telnet = server.listenTelnet(ANY);
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  /** As {@code inch} begins and writes. */
  @Test
  void inch() throws Exception {
    String ping =
        ask("GET /ping HTTP/1.1\r\nHost: localhost:8086\r\nUser-Agent: Go-http-client/1.1\r\n\r\n");
    assertStatus(204, ping);
    assertTrue(ping.contains("X-Influxdb-Version: 1.8"), ping);
    assertTrue(ping.contains("X-Influxdb-Build: "), ping);
    String form = "q=CREATE+DATABASE+stress+WITH+DURATION+7d";
    String created =
        ask(
            "POST /query HTTP/1.1\r\nHost: localhost:8086\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + form.length()
                + "\r\n\r\n"
                + form);
    assertStatus(200, created);
    assertTrue(created.endsWith("{\"results\":[{\"statement_id\":0}]}"), created);
    String lines = "m0,tag0=value0,tag1=value0 v0=0 1704067200000000000\n";
    assertStatus(
        204,
        post(
            "/write?db=stress&precision=ns&consistency=any",
            "Content-Type: text/ascii\r\nX-Influxdb-Host: tenant0.example.com",
            lines.getBytes(StandardCharsets.UTF_8)));
    assertStatus(
        204,
        post(
            "/write?db=stress&precision=ns&consistency=any",
            "Content-Encoding: gzip",
            gzipped(lines.getBytes(StandardCharsets.UTF_8))));
    assertEquals(2, intake.points());
    assertStatus(200, ask("GET /debug/vars HTTP/1.1\r\nHost: a\r\n\r\n"));
  }

  /** As the loader of TSBS for InfluxDB begins and writes. */
  @Test
  void tsbsForInflux() throws Exception {
    String shown = ask("GET /query?q=show%20databases HTTP/1.1\r\nHost: a\r\n\r\n");
    assertStatus(200, shown);
    assertTrue(shown.contains("\"series\":[{") && shown.contains("\"values\":[["), shown);
    assertStatus(
        200,
        ask(
            "GET /query?consistency=all&q=CREATE%20DATABASE%20benchmark%20WITH%20REPLICATION%201"
                + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    String line =
        "cpu,hostname=host_0,region=eu-central-1,rack=6 usage_user=58i,usage_system=2i"
            + " 1451606400000000000\n";
    assertStatus(
        204,
        post(
            "/write?consistency=all&db=benchmark",
            "User-Agent: tsbs_load_influx\r\nContent-Type: text/plain\r\nContent-Encoding: gzip",
            gzipped(line.getBytes(StandardCharsets.UTF_8))));
    assertEquals(2, intake.points());
    assertStatus(
        400,
        ask(
            "POST /query?q=drop+database+benchmark HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"));
  }

  /** As the loader of TSBS for QuestDB asks and writes. */
  @Test
  void tsbsForQuestDb() throws Exception {
    String tables = ask("GET /exec?query=SHOW+TABLES HTTP/1.1\r\nHost: localhost:9000\r\n\r\n");
    assertStatus(200, tables);
    assertTrue(tables.contains("\"dataset\":[]"), tables);
    assertStatus(400, ask("GET /exec?query=DROP+TABLE+cpu HTTP/1.1\r\nHost: a\r\n\r\n"));
    String line =
        "cpu,hostname=host_0,region=eu-central-1 usage_user=58i,usage_system=2i"
            + " 1451606400000000000\n";
    assertEquals(
        "", talk(server.listenInflux(ANY), bytes(line + "nonsense\nput m 1 2 a=b\n" + line)));
    assertEquals(4, intake.points());
    assertEquals(2, intake.rejected());
  }

  /** As the bulk loader for OpenTSDB of influxdb-comparisons writes. */
  @Test
  void bulkLoadOfOpentsdb() throws Exception {
    String points =
        "[{\"metric\":\"cpu.usage_user\",\"timestamp\":1451606400000,\"value\":58.1317132304976170,"
            + "\"tags\":{\"hostname\":\"host_0\"}},\n"
            + "{\"metric\":\"cpu.usage_user\",\"timestamp\":1451606410000,\"value\":57.0,"
            + "\"tags\":{\"hostname\":\"host_0\"}}]";
    assertStatus(
        204,
        post(
            "/api/put",
            "User-Agent: bulk_load_opentsdb\r\nContent-Type: application/json\r\nContent-Encoding: gzip",
            gzipped(points.getBytes(StandardCharsets.UTF_8))));
    assertEquals(2, intake.points());
  }

  /** Values as strings and a misspelt content type, as Telegraf sends. */
  @Test
  void telegrafForOpentsdb() throws Exception {
    byte[] body =
        bytes(
            "[{\"metric\":\"cpu_usage\",\"timestamp\":1704067200,\"value\":\"3.5\",\"tags\":{\"h\":\"a\"}}]");
    assertStatus(204, post("/api/put", "Content-Type: applicaton/json", body));
    assertTrue(
        post("/api/put?details", "", body).endsWith("{\"success\":1,\"failed\":0,\"errors\":[]}"));
    assertTrue(post("/api/put?summary", "", body).endsWith("{\"success\":1,\"failed\":0}"));
    assertEquals(3, intake.points());
  }

  /** As Prometheus and the loader of TSBS for it write, and what they compare. */
  @Test
  void remoteWrite() throws Exception {
    String version1 = "Content-Encoding: snappy\r\nContent-Type: application/x-protobuf";
    byte[] request =
        RemoteWriteBytes.snappy(
            new RemoteWriteBytes()
                .message(
                    1,
                    new RemoteWriteBytes()
                        .label("__name__", "up")
                        .label("host", "h1")
                        .sample(1, 1_704_067_200_000L)
                        .sample(Double.NaN, 1_704_067_200_000L))
                .bytes());
    String headers = version1 + "\r\nX-Prometheus-Remote-Write-Version: 0.1.0";
    assertStatus(204, post("/api/v1/write", headers, request));
    assertStatus(204, post("/write", headers, request));
    assertEquals(2, intake.points());
    String proto = version1 + ";proto=";
    assertStatus(204, post("/api/v1/write", proto + "prometheus.WriteRequest", request));
    assertStatus(415, post("/api/v1/write", proto + "prometheus.Next", request));
    assertStatus(415, post("/api/v1/write", "Content-Type: application/x-protobuf", request));
    assertStatus(415, post("/api/v1/write", "Content-Encoding: snappy", request));
    assertStatus(405, ask("GET /api/v1/write HTTP/1.1\r\nHost: a\r\n\r\n"));
    String malformed = post("/api/v1/write", version1, new byte[] {3, 2, 1});
    assertStatus(400, malformed);
    assertTrue(malformed.contains("The body is not valid snappy"), malformed);
    RemoteWriteBytes version2 = new RemoteWriteBytes();
    for (String symbol : List.of("", "__name__", "up", "host", "h1", "localhost:9090")) {
      version2.text(4, symbol);
    }
    version2
        .message(5, new RemoteWriteBytes().references(1, 2, 3, 4).sample(1, 1_704_067_200_000L))
        .message(5, new RemoteWriteBytes().references(1, 2, 3, 5).sample(1, 1_704_067_200_000L));
    String partial =
        post(
            "/api/v1/write",
            proto + "io.prometheus.write.v2.Request",
            RemoteWriteBytes.snappy(version2.bytes()));
    assertStatus(400, partial);
    assertTrue(partial.contains("X-Prometheus-Remote-Write-Samples-Written: 1\r\n"), partial);
    assertTrue(partial.contains("host=\"localhost:9090\"} 1.0"), partial);
    assertTrue(partial.contains("--replace-characters"), partial);
    assertEquals(4, intake.points());
  }

  @Test
  void aChunkedBodyIsOneBody() throws Exception {
    String answer =
        ask(
            "POST /write HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nm,h=a\r\n6\r\n v=1i \r\n13\r\n1704067200000000000\r\n0\r\n\r\n");
    assertStatus(204, answer);
    assertEquals(1, intake.points());
  }

  @Test
  void goodPointsOfARequestAreKeptAndBadOnesNamed() throws Exception {
    String put =
        post(
            "/api/put",
            "",
            bytes(
                "[{\"metric\":\"m\",\"timestamp\":1704067200,\"value\":1,\"tags\":{\"h\":\"a\"}},"
                    + "{\"metric\":\"m\",\"timestamp\":1704067200,\"value\":1,\"tags\":{}}]"));
    assertStatus(400, put);
    assertTrue(put.contains("One or more data points had errors"), put);
    assertEquals(1, intake.points());
    String lines = post("/write", "", bytes("m,h=a v=1i 1704067200000000000\nnonsense\n"));
    assertStatus(400, lines);
    assertTrue(lines.contains("partial write: unable to parse 'nonsense'"), lines);
    assertTrue(lines.contains("dropped=1"), lines);
    assertEquals(2, intake.points());
    String version2 = post("/api/v2/write?org=o&bucket=b", "", bytes("nonsense"));
    assertStatus(400, version2);
    assertTrue(version2.contains("\"code\":\"invalid\""), version2);
  }

  @Test
  void whatIsNoRequestOfAProtocolGetsItsError() throws Exception {
    assertStatus(405, ask("GET /api/put HTTP/1.1\r\nHost: a\r\n\r\n"));
    assertStatus(405, ask("GET /write HTTP/1.1\r\nHost: a\r\n\r\n"));
    assertStatus(404, ask("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"));
    assertStatus(400, post("/api/put", "", bytes("[]")));
    assertStatus(400, post("/api/put", "", bytes("{\"metric\":")));
    for (String precision : List.of("weeks", "m", "h")) {
      assertStatus(400, post("/write?precision=" + precision, "", bytes("m,h=a v=1 1")));
    }
    assertStatus(400, post("/write", "Content-Encoding: gzip", bytes("this is not gzip")));
    assertStatus(400, ask("nonsense\r\n\r\n"));
    assertStatus(414, ask("GET /" + "a".repeat(10_000) + " HTTP/1.1\r\n\r\n"));
    assertStatus(431, ask("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(20_000) + "\r\n"));
    assertStatus(200, ask("GET /health HTTP/1.1\r\nHost: a\r\n\r\n"));
    assertEquals(0, intake.points());
  }

  @Test
  void tooLongBodiesAreRefusedBeforeTheyAreRead() throws Exception {
    String stated =
        ask(
            "POST /write HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
                + (BODY_MAX + 1)
                + "\r\n\r\n");
    assertStatus(413, stated);
    byte[] bomb = gzipped(new byte[8 << 20]);
    assertTrue(bomb.length < BODY_MAX);
    assertStatus(413, post("/write", "Content-Encoding: gzip", bomb));
    assertStatus(413, post("/api/v2/write", "Content-Encoding: gzip", bomb));
    byte[] snappyBomb = RemoteWriteBytes.snappy(new byte[8 << 20]);
    assertTrue(snappyBomb.length < BODY_MAX);
    assertStatus(
        413,
        post(
            "/api/v1/write",
            "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy",
            snappyBomb));
    String deep = post("/api/put", "", bytes("{\"a\":".repeat(100_000)));
    assertStatus(400, deep);
    assertTrue(deep.contains("Unable to parse the JSON: Document nesting depth"), deep);
    // A snappy block that says it has 2 GiB, and ends there.
    byte[] snappy = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
    assertStatus(
        400,
        post(
            "/api/v1/write",
            "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy",
            snappy));
  }

  @Test
  void answersOfPipelinedRequestsKeepTheirOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      String line = "m,h=a v=" + i + "i " + (1_704_067_200L + i);
      requests
          .append("POST /write?precision=s HTTP/1.1\r\nHost: a\r\nContent-Length: ")
          .append(line.length())
          .append("\r\n\r\n")
          .append(line)
          .append("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    requests.append("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n");
    String[] answers = ask(requests.toString()).split("HTTP/1.1 ", -1);
    assertEquals(102, answers.length);
    for (int i = 1; i <= 100; i += 2) {
      assertTrue(answers[i].startsWith("204"), answers[i]);
      assertTrue(answers[i + 1].startsWith("200"), answers[i + 1]);
    }
    assertTrue(answers[101].startsWith("404"), answers[101]);
    assertEquals(50, intake.points());
  }

  @Test
  void telnetCommands() throws Exception {
    String said =
        talk(
            telnet,
            bytes(
                "put m 1704067200 1 h=a\r\nput m 1704067201 2 h=a\nversion\nput m nonsense 1 h=a\n"
                    + "stats\nput m 1704067202 3 h=a\nlaunch rockets\nhelp\nexit\n"));
    List<String> lines = said.lines().toList();
    assertEquals(5, lines.size(), said);
    assertTrue(lines.get(0).startsWith("net.opentsdb.tools 2.4.1"), said);
    assertTrue(lines.get(2).startsWith("put: illegal argument: timestamp cannot be read"), said);
    assertEquals("unknown command: launch.  Try `help'.", lines.get(3));
    assertEquals(3, intake.points());
  }

  /** A line too long to be one, and lines that come in pieces. */
  @Test
  void telnetLinesInPieces() throws Exception {
    try (Socket socket = new Socket(telnet.getAddress(), telnet.getPort())) {
      OutputStream out = socket.getOutputStream();
      for (byte b : bytes("put m 1704067200 1 h=a\nput m 1704067201 2 h=b\n")) {
        out.write(b);
        out.flush();
      }
      out.write(bytes("version\n"));
      assertTrue(socket.getInputStream().read() >= 0);
    }
    assertEquals(2, intake.points());
    assertTrue(
        talk(telnet, "x".repeat(3 << 20).getBytes(StandardCharsets.UTF_8))
            .startsWith("error: a line"));
  }

  /** Clients are told to come again, and what was answered before is not lost by it. */
  @Test
  void aFullLogIs503() throws Exception {
    start(new ReceiverServer.Limits(BODY_MAX, 1 << 24, 100, 30), 1 << 17);
    String answer = "";
    for (int i = 0; i < 10_000 && !answer.startsWith("HTTP/1.1 503"); i++) {
      answer =
          post(
              "/write?precision=s",
              "",
              bytes(("m,h=a v=1i " + (1_704_067_200 + i) + "\n").repeat(100)));
    }
    assertStatus(503, answer);
    assertTrue(answer.contains("retry-after: 5"), answer);
  }

  @Test
  void connectionsBodiesAndTimeAreBounded() throws Exception {
    start(new ReceiverServer.Limits(BODY_MAX, 100_000, 10, 1), 1 << 24);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Socket socket = new Socket(http.getAddress(), http.getPort());
      sockets.add(socket);
      socket
          .getOutputStream()
          .write(bytes("POST /write HTTP/1.1\r\nContent-Length: 30000\r\n\r\n"));
      socket.getOutputStream().write(new byte[10_000]);
    }
    int busy = 0;
    int timedOut = 0;
    for (Socket socket : sockets) {
      socket.setSoTimeout(20_000);
      String answer = read(socket);
      busy += answer.startsWith("HTTP/1.1 503") ? 1 : 0;
      timedOut += answer.isEmpty() ? 1 : 0;
      socket.close();
    }
    assertEquals(9, busy + timedOut);
    assertTrue(busy > 3 && timedOut > 1, busy + " " + timedOut);
    sockets.clear();
    awaitEveryConnectionReleased();
    for (int i = 0; i < 12; i++) {
      sockets.add(new Socket(http.getAddress(), http.getPort()));
    }
    while (server.counts().refusedConnections() < 2) {
      Thread.sleep(5);
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** A connection is counted as closed just before its bytes are given back. */
  private void awaitEveryConnectionReleased() throws InterruptedException {
    while (server.counts().connections() > 0 || server.memoryBytes() > 0) {
      Thread.sleep(5);
    }
    assertEquals(0, server.memoryBytes());
  }

  /** As many as the default allows; each holds a request that has not ended. */
  @Test
  void fourThousandConnectionsAndOneMore() throws Exception {
    int most = 4_096;
    start(new ReceiverServer.Limits(BODY_MAX, 1 << 26, most, 60), 1 << 24);
    List<SocketChannel> clients = new ArrayList<>();
    try {
      for (int i = 0; i < most; i++) {
        SocketChannel client = SocketChannel.open(http);
        clients.add(client);
        client.write(
            ByteBuffer.wrap(bytes("POST /write HTTP/1.1\r\nContent-Length: 31\r\n\r\nm,")));
      }
      while (server.counts().connections() < most) {
        Thread.sleep(5);
      }
      try (SocketChannel tooMany = SocketChannel.open(http)) {
        assertEquals("", read(tooMany.socket()));
      }
      assertEquals(1, server.counts().refusedConnections());
      for (SocketChannel client : clients) {
        client.write(ByteBuffer.wrap(bytes("h=a v=1i 1704067200000000000\n")));
      }
      for (SocketChannel client : clients) {
        ByteBuffer answer = ByteBuffer.allocate(12);
        while (answer.hasRemaining() && client.read(answer) >= 0) {
          // The rest of the line.
        }
        assertEquals("HTTP/1.1 204", new String(answer.array(), StandardCharsets.US_ASCII));
      }
      assertEquals(most, intake.points());
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
    awaitEveryConnectionReleased();
  }

  /** Nothing whole comes: a client that is gone, or that sends a byte now and then. */
  @Test
  void halfOpenConnectionsAndSlowOnesEnd() throws Exception {
    start(new ReceiverServer.Limits(BODY_MAX, 1 << 20, 10, 1), 1 << 24);
    InetSocketAddress influx = server.listenInflux(ANY);
    List<Socket> silent = new ArrayList<>();
    for (InetSocketAddress to : List.of(http, telnet, influx)) {
      for (String begun : List.of("", "p")) {
        Socket socket = new Socket(to.getAddress(), to.getPort());
        silent.add(socket);
        socket.getOutputStream().write(bytes(begun));
      }
    }
    try (SocketChannel slow = SocketChannel.open(http)) {
      slow.write(ByteBuffer.wrap(bytes("GET /health HTTP/1.1\r\n")));
      while (server.counts().timedOutConnections() < 7) {
        try {
          slow.write(ByteBuffer.wrap(bytes("A: b\r\n")));
        } catch (IOException closed) {
          // As it should be.
        }
        Thread.sleep(10);
      }
    }
    for (Socket socket : silent) {
      assertEquals("", read(socket));
      socket.close();
    }
    awaitEveryConnectionReleased();
  }

  /** What is a year late is history; what is a year early has a wrong clock. */
  @Test
  void clocksThatAreAYearWrong() throws Exception {
    long now = System.currentTimeMillis();
    long early = now + 365L * 86_400_000;
    long late = now - 365L * 86_400_000;
    String lines =
        post("/write?precision=ms", "", bytes("m,h=a v=1i " + early + "\nm,h=a v=1i " + late));
    assertStatus(400, lines);
    assertTrue(lines.contains("partial write"), lines);
    String point = "{\"metric\":\"m\",\"timestamp\":%d,\"value\":1,\"tags\":{\"h\":\"a\"}}";
    String json = "[" + point.formatted(early) + "," + point.formatted(late) + "]";
    String put = post("/api/put?summary", "", bytes(json));
    assertStatus(400, put);
    assertTrue(put.endsWith("{\"success\":1,\"failed\":1}"), put);
    String said = talk(telnet, bytes("put m " + early + " 1 h=a\nput m " + late + " 1 h=a\n"));
    assertEquals(1, said.lines().count(), said);
    byte[] request =
        RemoteWriteBytes.snappy(
            new RemoteWriteBytes()
                .message(
                    1,
                    new RemoteWriteBytes()
                        .label("__name__", "m")
                        .label("h", "a")
                        .sample(1, late)
                        .sample(1, early))
                .bytes());
    assertStatus(
        400,
        post(
            "/api/v1/write",
            "Content-Encoding: snappy\r\nContent-Type: application/x-protobuf",
            request));
    assertEquals(4, intake.points());
    assertEquals(4, intake.rejected());
  }

  @Test
  void clientsThatDoNotReadTheirAnswersAreNotRead() throws Exception {
    start(new ReceiverServer.Limits(BODY_MAX, 1 << 24, 10, 30), 1 << 30);
    // Long, because a connection with 128 requests in a row is closed.
    String header = "A: " + "b".repeat(4000);
    assertNotReadUnlessReading(http, "GET /health HTTP/1.1\r\n" + header + "\r\n\r\n");
    assertNotReadUnlessReading(telnet, "put m nonsense 1 h=a\n");
  }

  /** Sends requests until the server takes no more, then reads the answers and sends more. */
  private static void assertNotReadUnlessReading(InetSocketAddress to, String request)
      throws Exception {
    byte[] requests = bytes(request.repeat(1000));
    try (SocketChannel client = SocketChannel.open(to)) {
      client.configureBlocking(false);
      ByteBuffer left = ByteBuffer.wrap(requests);
      long sent = 0;
      for (int idle = 0; idle < 100; ) {
        int written = client.write(left);
        sent += written;
        idle = written == 0 ? idle + 1 : 0;
        assertTrue(sent < 256 << 20, "the server reads on, and keeps the answers in memory");
        if (!left.hasRemaining()) {
          left.rewind();
        }
        if (written == 0) {
          Thread.sleep(10);
        }
      }
      ByteBuffer answers = ByteBuffer.allocate(1 << 16);
      long more = 0;
      while (more < requests.length) {
        answers.clear();
        assertTrue(client.read(answers) >= 0);
        more += client.write(left);
        if (!left.hasRemaining()) {
          left.rewind();
        }
      }
    }
  }

  private String post(String path, String headers, byte[] body) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(
        bytes(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.length
                + (headers.isEmpty() ? "" : "\r\n" + headers)
                + "\r\n\r\n"));
    request.write(body);
    return talk(http, request.toByteArray());
  }

  /** Sends requests and reads until the server closes, which is asked for by half-closing. */
  private String ask(String requests) throws IOException {
    return talk(http, bytes(requests));
  }

  private static String talk(InetSocketAddress to, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
      socket.setSoTimeout(20_000);
      try {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
      } catch (SocketException closedBefore) {
        // The answer tells why.
      }
      return read(socket);
    }
  }

  private static String read(Socket socket) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try {
      for (int read; (read = socket.getInputStream().read(buffer)) >= 0; ) {
        answer.write(buffer, 0, read);
      }
    } catch (SocketException reset) {
      // What came before counts.
    }
    return answer.toString(StandardCharsets.UTF_8);
  }

  private static void assertStatus(int status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzipped(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
