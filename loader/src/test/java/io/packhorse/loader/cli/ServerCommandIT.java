package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the commands say about a running store, and what its TSDs answer. */
final class ServerCommandIT {
  @Test
  void showsAddressesVersionsSizesAndTables() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    String text = status(server);
    assertTrue(text.contains(server.store().root() + " (running)"), text);
    assertTrue(text.contains(server.tsdUrl() + "   2.4.1 patched"), text);
    assertTrue(text.contains("ZooKeeper " + server.zookeeperQuorum() + "   2.6.4-hadoop3"), text);
    assertTrue(text.contains("tsdb 4"), text);

    JsonNode json = new ObjectMapper().readTree(status(server, "--json")).get("result");
    assertTrue(json.get("running").asBoolean());
    assertEquals(server.zookeeperQuorum(), json.get("zookeeper").asText());
    assertEquals(4, json.get("tables").get("tsdb").asInt());
    assertEquals(2, json.get("tsds").size());
    assertTrue(json.get("bytes").asLong() > 0);
  }

  @Test
  void storesAndAnswersThroughEitherTsd() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    for (TsdKind kind : TsdKind.values()) {
      URI url = server.tsd(kind).orElseThrow().url();
      String metric = "it.server." + kind.label();
      String point =
          "{\"metric\":\""
              + metric
              + "\",\"timestamp\":1356998400,\"value\":42,\"tags\":{\"host\":\"a\"}}";
      HttpResponse<String> stored = post(url.resolve("/api/put?sync&details"), point);
      assertEquals(200, stored.statusCode(), stored.body());
      HttpResponse<String> answer =
          get(url.resolve("/api/query?start=1356998400&end=1356998500&m=sum:" + metric));
      assertTrue(answer.body().contains("\"dps\":{\"1356998400\":42}"), answer.body());
    }
  }

  @Test
  void listensOnLoopbackOnly() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    Optional<InetAddress> outside =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
            .findFirst();
    assumeTrue(outside.isPresent(), "this machine has no address but loopback");
    int zookeeper = URI.create("zk://" + server.zookeeperQuorum()).getPort();
    for (int port : new int[] {zookeeper, server.tsdUrl().getPort()}) {
      try (Socket socket = new Socket()) {
        assertThrows(
            IOException.class,
            () -> socket.connect(new InetSocketAddress(outside.get(), port), 2_000));
      }
    }
  }

  @Test
  void findsNoGnuplotToRun() throws Exception {
    URI url = EmbeddedStoreFixture.shared().tsdUrl();
    HttpResponse<String> graph =
        get(url.resolve("/q?start=1356998400&end=1356998500&m=sum:it.none&png"));
    assertFalse(graph.statusCode() == 200, graph.body());
  }

  private static HttpResponse<String> get(URI url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(URI url, String body)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static String status(EmbeddedServer server, String... more) {
    StringWriter out = new StringWriter();
    CommandLine command = Packhorse.commandLine().setOut(new PrintWriter(out, true));
    String[] args = new String[4 + more.length];
    args[0] = "server";
    args[1] = "status";
    args[2] = "--dir";
    args[3] = server.store().root().toString();
    System.arraycopy(more, 0, args, 4, more.length);
    assertEquals(0, command.execute(args));
    return out.toString();
  }
}
