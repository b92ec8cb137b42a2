package io.packhorse.loader.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Answers with one page on loopback while something runs. */
public final class LocalPage implements AutoCloseable {
  private final HttpServer server;
  private final String path;

  private LocalPage(HttpServer server, String path) {
    this.path = path;
    this.server = server;
  }

  /**
   * Starts answering.
   *
   * @param option that has named the port, for messages
   * @param port 0 for any free one
   * @param path of the page
   * @param type its content type
   * @param text asked for at each request, on a thread of the page's
   * @throws OperationException REFUSED if the port is taken
   */
  public static LocalPage open(
      String option, int port, String path, String type, Supplier<String> text) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(path, exchange -> answer(exchange, type, text.get()));
      server.start();
      return new LocalPage(server, path);
    } catch (IOException e) {
      throw new OperationException(
          OperationException.Kind.REFUSED,
          "Cannot listen on port "
              + port
              + " for "
              + option
              + ": "
              + Causes.sentence(e)
              + ". Nothing was written; name another port, or 0 for any free one.",
          e);
    }
  }

  private static void answer(HttpExchange exchange, String type, String text) throws IOException {
    try (exchange) {
      boolean asked = exchange.getRequestMethod().equals("GET");
      byte[] body = (asked ? text : "").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(asked ? 200 : 405, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Where it answers. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
