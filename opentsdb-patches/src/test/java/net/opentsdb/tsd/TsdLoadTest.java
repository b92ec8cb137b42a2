package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds a TSD up, or fills it; its HBase is away. */
@Timeout(120)
final class TsdLoadTest {
  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;

  @BeforeAll
  static void start() throws IOException {
    tsd =
        RunningTsd.start(
            home,
            Map.of(
                "tsd.query.timeout",
                "2000",
                RequestDeadline.SETTING,
                "2",
                ClientConnections.SETTING,
                "40",
                "tsd.http.request.enable_chunked",
                "true",
                "tsd.http.request.max_chunk",
                "1048576"));
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/suggest?type=metrics",
        "/api/query/last?timeseries=sys.cpu%7Bhost=a%7D&back_scan=1",
        "/api/v1/query/LAST?tsuids=000001000001000001&back_scan=1"
      })
  void answersOthersWhileHbaseIsAway(String target) throws IOException {
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return tsd.send("GET", target).status();
                } catch (IOException e) {
                  return -1;
                }
              },
              work -> new Thread(work).start()));
    }
    assertEquals(200, tsd.send("GET", "/api/version").status());
    for (CompletableFuture<Integer> answer : waiting) {
      assertEquals(504, answer.join());
    }
  }

  @Test
  void refusesABatchOfTooManyObjects() throws IOException {
    byte[] batch = ("[" + "{},".repeat(200_000) + "{}]").getBytes(StandardCharsets.US_ASCII);
    Answer answer = tsd.send("POST", "/api/put?details", batch, "Content-Type: application/json");
    assertEquals(413, answer.status());
    assertTrue(answer.body().contains("100000 points"), answer.body());
  }

  @Test
  void givesBackTheMemoryOfBodies() throws IOException {
    long before = QueryMemory.used();
    byte[] batch = ("[" + "{},".repeat(50_000) + "{}]").getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 5; i++) {
      assertEquals(
          400, tsd.send("POST", "/api/put", batch, "Content-Type: application/json").status());
    }
    while (QueryMemory.used() != before) {
      Thread.onSpinWait();
    }
  }

  @Test
  void givesBackTheMemoryOfABodyThatDoesNotEnd() throws IOException {
    long before = QueryMemory.used();
    String half =
        "POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
            + " ".repeat(500_000);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
      while (QueryMemory.used() < before + 100_000) {
        Thread.onSpinWait();
      }
    }
    while (QueryMemory.used() != before) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1s-avg-zero", "1s-sum-null", "1ms-max-nan"})
  void refusesToFillMoreThanItCanHold(String downsample) throws IOException {
    Answer answer = tsd.send("GET", "/api/query?start=1&m=sum:" + downsample + ":x");
    assertEquals(413, answer.status(), answer.body());
    assertTrue(answer.body().contains("no fill policy"), answer.body());
  }

  @Test
  void listsTheFirstErrorsOfABatch() throws IOException {
    byte[] batch = ("[" + "{},".repeat(99_999) + "{}]").getBytes(StandardCharsets.US_ASCII);
    Answer answer = tsd.send("POST", "/api/put?details", batch, "Content-Type: application/json");
    assertEquals(400, answer.status());
    JsonNode json = new ObjectMapper().readTree(answer.body());
    assertEquals(100_000, json.get("failed").asInt());
    assertEquals(PutErrors.LISTED_MAX + 1, json.get("errors").size());
  }

  @Test
  void closesAConnectionWhoseRequestDoesNotEnd() throws IOException {
    for (String begin :
        new String[] {"GET /api/version HTTP/1.1\r\nHost: local", "put sys.cpu 1"}) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        assertEquals(-1, socket.getInputStream().read(), "closed without an answer");
      }
    }
  }

  @Test
  void keepsAConnectionBetweenRequests() throws Exception {
    try (Socket socket = connect()) {
      byte[] request =
          "GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(request);
      assertTrue(socket.getInputStream().read(new byte[4096]) > 0);
      socket.setSoTimeout(3_000);
      assertThrows(IOException.class, () -> socket.getInputStream().read(), "still open");
      socket.setSoTimeout(0);
      socket.getOutputStream().write(request);
      assertTrue(socket.getInputStream().read(new byte[4096]) > 0);
    }
  }

  @Test
  void limitsTheConnectionsOfOneClient() throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      int refused = 0;
      for (int i = 0; i < 80; i++) {
        Socket socket = connect();
        open.add(socket);
        try {
          socket.getOutputStream().write("version\n".getBytes(StandardCharsets.US_ASCII));
          if (socket.getInputStream().read() < 0) {
            refused++;
          }
        } catch (IOException e) {
          refused++;
        }
      }
      assertTrue(refused >= 40, "refused " + refused);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    boolean admitted = false;
    while (!admitted) { // Until the closed connections are no longer counted.
      try {
        admitted = tsd.send("GET", "/api/version").status() == 200;
      } catch (IOException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void answersWhenMemoryRunsOut() {
    assertEquals(413, status(new OutOfMemoryError("Java heap space")));
    assertEquals(500, status(new StackOverflowError()));
  }

  private static int status(VirtualMachineError error) {
    BadRequestException e =
        assertThrows(
            BadRequestException.class,
            () ->
                BlockingRequests.run(
                    () -> {
                      throw error;
                    }));
    return e.getStatus().getCode();
  }

  @Test
  void refusesABadExpressionByName() throws IOException {
    Answer answer = tsd.send("GET", "/api/query?start=1h-ago&m=sum:x%7Bhost=regexp(a(?!b))%7D");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("look-aheads are not supported"), answer.body());
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), tsd.port());
    socket.setSoTimeout(30_000);
    return socket;
  }
}
