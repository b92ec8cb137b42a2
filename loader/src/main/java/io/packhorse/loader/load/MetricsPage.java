package io.packhorse.loader.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packhorse.loader.report.Prometheus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Answers Prometheus on loopback while a load runs. */
final class MetricsPage implements AutoCloseable {
  private final HttpServer server;

  private MetricsPage(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts answering.
   *
   * @param port 0 for any free one
   * @throws OperationException REFUSED if the port is taken
   */
  static MetricsPage open(int port, Supplier<String> text) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext("/metrics", exchange -> answer(exchange, text.get()));
      server.start();
      return new MetricsPage(server);
    } catch (IOException e) {
      throw new OperationException(
          OperationException.Kind.REFUSED,
          "Cannot listen on port "
              + port
              + " for --metrics: "
              + Causes.sentence(e)
              + ". Nothing was loaded; name another port, or 0 for any free one.",
          e);
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      boolean asked = exchange.getRequestMethod().equals("GET");
      byte[] body = (asked ? text : "").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", Prometheus.CONTENT_TYPE);
      exchange.sendResponseHeaders(asked ? 200 : 405, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Where it answers. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
