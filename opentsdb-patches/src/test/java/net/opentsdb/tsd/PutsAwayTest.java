package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.opentsdb.core.OfflineTsdb;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.group.ChannelGroup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Points for a TSD whose HBase is away. */
@Timeout(60)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PutsAwayTest {
  private static final int IN_FLIGHT_MAX = 4;

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
                "tsd.core.auto_create_metrics",
                "true",
                PointsInFlight.SETTING,
                Integer.toString(IN_FLIGHT_MAX)));
    OfflineTsdb.addNames(tsd.tsdb());
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  /** The TSD has two I/O threads. */
  @Test
  void newNamesHoldNobodyUp() throws IOException {
    List<Socket> lines = new ArrayList<>();
    List<CompletableFuture<Integer>> batches = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      lines.add(telnet("put new.telnet" + i + " 1700000000 1 a=b\n"));
      String batch = point("new.http" + i, "a", "b");
      batches.add(
          CompletableFuture.supplyAsync(
              () -> put(batch).status(), work -> new Thread(work).start()));
    }
    assertEquals(200, tsd.send("GET", "/api/version").status());
    for (CompletableFuture<Integer> batch : batches) {
      assertEquals(504, batch.join());
    }
    for (Socket socket : lines) {
      socket.close();
    }
  }

  @Test
  void aConnectionWhoseLineWaitsIsNotReadOn() throws Exception {
    try (Socket socket = telnet("put new.paused 1700000000 1 a=b\nversion\n")) {
      awaitPaused(socket);
      assertEquals(0, socket.getInputStream().available(), "the next line comes after it");
    }
  }

  @Test
  void namesThatTheCacheHasLostAreWaitedForAsNewOnes() throws Exception {
    try (Socket socket = telnet("put walk 1700000000 1 sensor=s1\nversion\n")) {
      read(socket, "Built on");
      tsd.tsdb().dropCaches();
      socket
          .getOutputStream()
          .write("put walk 1700000001 1 sensor=s1\n".getBytes(StandardCharsets.US_ASCII));
      awaitPaused(socket);
    } finally {
      OfflineTsdb.addNames(tsd.tsdb());
    }
  }

  @Test
  void aLineThatIsNoPointIsAnsweredAtOnce() throws IOException {
    try (Socket socket =
        telnet("put walk 1700000000 1\nput walk 1700000000 x sensor=s1\nversion\n")) {
      String answer = read(socket, "net.opentsdb");
      assertTrue(answer.startsWith("put: illegal argument: not enough arguments"), answer);
      assertTrue(answer.contains("put: invalid value: "), answer);
    }
  }

  /** The last one: nothing makes room again. */
  @Test
  @Order(Integer.MAX_VALUE)
  void tooManyPointsInFlightAreRefusedOverHttpAndWaitInTelnet() throws Exception {
    StringBuilder batch = new StringBuilder();
    for (int i = 1; i <= IN_FLIGHT_MAX; i++) {
      batch.append(i == 1 ? "[" : ",").append(point("walk", "sensor", "s" + i));
    }
    assertEquals(204, put(batch.append(']').toString()).status());
    Answer refused = put(point("walk", "sensor", "s1"));
    assertEquals(503, refused.status());
    assertTrue(refused.body().contains(PointsInFlight.SETTING), refused.body());
    try (Socket socket = telnet("put walk 1700000000 1 sensor=s1\n")) {
      awaitPaused(socket);
    }
  }

  private static String point(String metric, String key, String value) {
    return """
    {"metric":"%s","timestamp":1700000000,"value":1,"tags":{"%s":"%s"}}\
    """
        .formatted(metric, key, value);
  }

  private static Answer put(String body) {
    try {
      return tsd.send(
          "POST",
          "/api/put",
          body.getBytes(StandardCharsets.US_ASCII),
          "Content-Type: application/json");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Socket telnet(String lines) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), tsd.port());
    socket.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String read(Socket socket, String until) throws IOException {
    StringBuilder text = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int c = in.read(); c >= 0; c = in.read()) {
      text.append((char) c);
      if (text.indexOf(until) >= 0) {
        break;
      }
    }
    return text.toString();
  }

  /** Waits until the TSD reads no more from a client's connection. */
  private static void awaitPaused(Socket socket) throws Exception {
    Field field = ConnectionManager.class.getDeclaredField("channels");
    field.setAccessible(true);
    ChannelGroup all = (ChannelGroup) field.get(null);
    SocketAddress client = socket.getLocalSocketAddress();
    while (all.stream()
        .filter(c -> client.equals(c.getRemoteAddress()))
        .allMatch(Channel::isReadable)) {
      Thread.sleep(10);
    }
  }
}
