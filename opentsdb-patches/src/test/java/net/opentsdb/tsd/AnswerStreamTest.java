package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.TSQuery;
import net.opentsdb.stats.QueryStats;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.handler.codec.http.HttpContentCompressor;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponseEncoder;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers of given lengths, to real clients: {@code /bytes/N} gives N bytes, {@code /fail/N} fails
 * after N bytes.
 */
@Timeout(120)
final class AnswerStreamTest {
  private static final int HELD_BYTES = AnswerBuffer.HELD_MAX * AnswerBuffer.BLOCK_BYTES;
  private static final int LONG_BYTES = 60_000_000;
  private static final long STALL_MS = 1_000;

  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;
  private static NioServerSocketChannelFactory factory;
  private static Channel listener;

  /** The exception of the last answer that failed. */
  private static volatile CompletableFuture<Exception> failure = new CompletableFuture<>();

  @BeforeAll
  static void start() throws IOException {
    tsd = RunningTsd.start(home, Map.of());
    factory =
        new NioServerSocketChannelFactory(
            Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 2);
    ServerBootstrap server = new ServerBootstrap(factory);
    server.setPipelineFactory(
        () ->
            Channels.pipeline(
                new RequestHeads(),
                new HttpResponseEncoder(),
                new HttpContentCompressor(),
                new RequestQueue(),
                new Handler()));
    listener = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterAll
  static void stop() {
    listener.close().awaitUninterruptibly();
    factory.releaseExternalResources();
    tsd.close();
  }

  private static final class Handler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event)
        throws Exception {
      HttpRequest request = (HttpRequest) event.getMessage();
      HttpQuery query = new HttpQuery(tsd.tsdb(), request, event.getChannel());
      query.setSerializer();
      String[] path = request.getUri().split("/", -1);
      answer(query, Integer.parseInt(path[2]), path[1].equals("fail"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
      // Clients that go away; what that does to the answer is what the tests look at.
    }
  }

  private static void answer(HttpQuery http, int bytes, boolean fails) {
    TSQuery query = new TSQuery();
    QueryStats stats = new QueryStats(http.getRemoteAddress(), query, Map.of());
    query.setQueryStats(stats);
    http.setStats(stats);
    AnswerStream stream =
        AnswerStream.of(http, stats, http.answered) == null
            ? null
            : new AnswerStream(http, stats, http.answered, STALL_MS);
    AnswerBuffer out = new AnswerBuffer(tsd.tsdb(), query, stats.memory(), stream);
    List<Callback<Deferred<Object>, Object>> steps = new ArrayList<>();
    byte[] content = content(bytes);
    for (int at = 0; at < bytes; at += 10_000) {
      int from = at;
      steps.add(
          ignored ->
              out.write(
                  Deferred.fromResult(from),
                  begin -> {
                    out.write(content, begin, Math.min(10_000, bytes - begin));
                    return null;
                  }));
    }
    Callback<Object, Object> last =
        ignored -> {
          if (fails) {
            throw new IllegalStateException("on purpose");
          }
          http.sendReply(out.toChannelBuffer());
          return null;
        };
    out.format(steps, last)
        .addErrback(
            (Exception e) -> {
              http.badRequest(
                  new BadRequestException(HttpResponseStatus.BAD_REQUEST, "failed: " + e));
              failure.complete(e);
              return null;
            });
  }

  private static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  /**
   * An answer as it came.
   *
   * @param whole whether it came to its end, by length or last chunk
   */
  private record Answer(String head, byte[] body, boolean whole) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 65_536, HELD_BYTES - 1, HELD_BYTES})
  void sendsAShortAnswerWithItsLength(int bytes) throws IOException {
    Answer answer = ask("/bytes/" + bytes, "HTTP/1.1");
    assertTrue(answer.head.contains("Content-Length: " + bytes), answer.head);
    assertArrayEquals(content(bytes), answer.body);
  }

  @ParameterizedTest
  @ValueSource(ints = {HELD_BYTES + 1, HELD_BYTES + 65_536, 10_000_000})
  void sendsALongAnswerInChunks(int bytes) throws IOException {
    long before = QueryMemory.used();
    Answer answer = ask("/bytes/" + bytes, "HTTP/1.1");
    assertTrue(answer.head.startsWith("HTTP/1.1 200 OK"), answer.head);
    assertTrue(answer.head.contains("Transfer-Encoding: chunked"), answer.head);
    assertFalse(answer.head.contains("Content-Length"), answer.head);
    assertTrue(answer.whole);
    assertArrayEquals(content(bytes), answer.body);
    awaitMemory(before);
  }

  @Test
  void compressesALongAnswer() throws IOException {
    Answer answer = ask("/bytes/3000000", "HTTP/1.1", "Accept-Encoding: gzip");
    assertTrue(answer.head.contains("Content-Encoding: gzip"), answer.head);
    assertTrue(answer.whole);
    InputStream inflated = new GZIPInputStream(new ByteArrayInputStream(answer.body));
    assertArrayEquals(content(3_000_000), inflated.readAllBytes());
  }

  @Test
  void holdsAnswersForOldClients() throws IOException {
    Answer answer = ask("/bytes/3000000", "HTTP/1.0");
    assertFalse(answer.head.contains("chunked"), answer.head);
    assertArrayEquals(content(3_000_000), answer.body);
  }

  @Test
  void givesAnEarlyErrorAStatus() throws IOException {
    Answer answer = ask("/fail/500000", "HTTP/1.1");
    assertTrue(answer.head.startsWith("HTTP/1.1 400"), answer.head);
    assertTrue(new String(answer.body, StandardCharsets.UTF_8).contains("on purpose"));
  }

  @Test
  void breaksOffAfterALateError() throws IOException {
    long before = QueryMemory.used();
    Answer answer = ask("/fail/3000000", "HTTP/1.1");
    assertTrue(answer.head.startsWith("HTTP/1.1 200"), answer.head);
    assertFalse(answer.whole);
    awaitMemory(before);
  }

  @Test
  void givesUpAClientThatDoesNotRead() throws Exception {
    failure = new CompletableFuture<>();
    long before = QueryMemory.used();
    try (Socket socket = request("/bytes/" + LONG_BYTES, "HTTP/1.1")) {
      assertArrayEquals(content(5), ask("/bytes/5", "HTTP/1.1").body, "others are answered");
      String message = String.valueOf(failure.get(1, TimeUnit.MINUTES).getMessage());
      assertTrue(message.contains("too slowly"), message);
      assertFalse(read(socket.getInputStream()).whole);
    }
    awaitMemory(before);
  }

  @Test
  void endsWorkForAClientThatGoesAway() throws Exception {
    failure = new CompletableFuture<>();
    long before = QueryMemory.used();
    try (Socket socket = request("/bytes/" + LONG_BYTES, "HTTP/1.1")) {
      assertEquals('H', socket.getInputStream().read());
    }
    String message = String.valueOf(failure.get(1, TimeUnit.MINUTES).getMessage());
    assertTrue(message.contains("closed the connection"), message);
    awaitMemory(before);
  }

  /** The first answer takes longer than the second one. */
  @Test
  void answersRequestsSentAtOnceInOrder() throws IOException {
    int[] lengths = {3_000_000, 1, 2_000_000, 100_000, 5};
    try (Socket socket = new Socket()) {
      socket.connect(listener.getLocalAddress());
      StringBuilder requests = new StringBuilder();
      for (int bytes : lengths) {
        requests.append("GET /bytes/").append(bytes).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
      }
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      for (int bytes : lengths) {
        assertArrayEquals(content(bytes), read(socket.getInputStream()).body);
      }
    }
  }

  /** The answer before may have given its memory back only after the count was taken. */
  private static void awaitMemory(long used) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (QueryMemory.used() > used) {
      assertTrue(System.nanoTime() < deadline, "memory was not given back");
      Thread.onSpinWait();
    }
  }

  private static Answer ask(String target, String version, String... headers) throws IOException {
    try (Socket socket = request(target, version, headers)) {
      return read(socket.getInputStream());
    }
  }

  private static Socket request(String target, String version, String... headers)
      throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1 << 16);
    socket.connect(listener.getLocalAddress());
    String head = "GET " + target + " " + version + "\r\nHost: x\r\n";
    for (String header : headers) {
      head += header + "\r\n";
    }
    socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static Answer read(InputStream in) throws IOException {
    String head = "";
    for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
      head += line + "\n";
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int length = head.indexOf("Content-Length: ");
    if (length >= 0) {
      String value = head.substring(length + 16, head.indexOf('\n', length));
      body.writeBytes(in.readNBytes(Integer.parseInt(value)));
      return new Answer(head, body.toByteArray(), true);
    }
    if (!head.contains("chunked")) {
      body.writeBytes(in.readAllBytes());
      return new Answer(head, body.toByteArray(), true);
    }
    for (String size = line(in); size != null; size = line(in)) {
      int bytes = Integer.parseInt(size, 16);
      byte[] chunk = in.readNBytes(bytes);
      body.writeBytes(chunk);
      if (chunk.length < bytes || line(in) == null) {
        break;
      }
      if (bytes == 0) {
        return new Answer(head, body.toByteArray(), true);
      }
    }
    return new Answer(head, body.toByteArray(), false);
  }

  /** A line without its end; null where the connection ends. */
  private static @Nullable String line(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          return null;
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
    } catch (IOException e) {
      return null; // A reset ends it, too.
    }
    return line.toString();
  }
}
