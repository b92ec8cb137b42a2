package io.packhorse.loader.load;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Answers with one page on loopback while something runs. */
public final class LocalPage implements AutoCloseable {
  private final HttpServer server;
  private final String path;

  /** Counted down when the page was read after {@link #awaitReader} was called. */
  private final CountDownLatch readAtEnd = new CountDownLatch(1);

  private volatile boolean wasRead;
  private volatile boolean atEnd;

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
      LocalPage page = new LocalPage(server, path);
      server.createContext(path, exchange -> page.answer(exchange, type, text));
      server.start();
      return page;
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

  private void answer(HttpExchange exchange, String type, Supplier<String> text)
      throws IOException {
    boolean last = atEnd;
    try (exchange) {
      boolean asked = exchange.getRequestMethod().equals("GET");
      byte[] body = (asked ? text.get() : "").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(asked ? 200 : 405, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
    wasRead = true;
    if (last) {
      readAtEnd.countDown();
    }
  }

  /**
   * Waits until the page was read once more, so that who watches it sees how it ended; not at all
   * if nobody has read it so far.
   *
   * @param longest after which it is given up: the reader may have gone
   * @return whether it was read
   */
  @CanIgnoreReturnValue
  public boolean awaitReader(Duration longest) throws InterruptedException {
    atEnd = true;
    return wasRead && readAtEnd.await(longest.toMillis(), TimeUnit.MILLISECONDS);
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
