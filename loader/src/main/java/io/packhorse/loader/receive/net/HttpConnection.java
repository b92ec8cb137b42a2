package io.packhorse.loader.receive.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.ScheduledFuture;
import io.packhorse.loader.receive.net.ReceiverServer.Ack;
import io.packhorse.loader.receive.net.Routes.Route;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection of an HTTP client: one request after the other. On the connection's event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that fails is closed
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
  private static final int FIRST_BYTES = 4096;
  private static final int PAGE_BODY_BYTES = 65_536;
  private static final int RETRY_SECONDS = 5;

  private final ReceiverServer server;
  private final Routes routes;

  private @Nullable HttpRequest head;
  private @Nullable QueryStringDecoder uri;
  private Routes.@Nullable Route route;
  private byte[] body = {};
  private int length;

  /** Bytes of the body as the request says; 0 if it does not. */
  private long announced;

  private long reserved;

  /** The rest of what the client sends is dropped: an error was sent, and the connection closes. */
  private boolean ended;

  private @Nullable ScheduledFuture<?> deadline;

  HttpConnection(ReceiverServer server, Routes routes) {
    this.server = server;
    this.routes = routes;
  }

  @Override
  public void channelActive(ChannelHandlerContext connection) {
    expectRequest(connection);
    connection.fireChannelActive();
  }

  /** A request has a limited time to arrive, the silence before it included. */
  private void expectRequest(ChannelHandlerContext connection) {
    deadline =
        connection
            .executor()
            .schedule(
                () -> {
                  server.counts().timeOut();
                  connection.close();
                },
                server.limits().seconds(),
                TimeUnit.SECONDS);
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext connection, HttpObject part) {
    if (ended) {
      return;
    }
    if (part.decoderResult().isFailure()) {
      refuse(connection, status(part.decoderResult().cause()), "this is not HTTP that can be read");
      return;
    }
    if (part instanceof HttpRequest request) {
      begin(connection, request);
    }
    if (part instanceof HttpContent content && !ended) {
      add(connection, content.content());
      if (part instanceof LastHttpContent && !ended) {
        finish(connection);
      }
    }
  }

  private static HttpResponseStatus status(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return HttpResponseStatus.REQUEST_URI_TOO_LONG;
    }
    return cause instanceof TooLongHttpHeaderException
        ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        : HttpResponseStatus.BAD_REQUEST;
  }

  private void begin(ChannelHandlerContext connection, HttpRequest request) {
    head = request;
    length = 0;
    QueryStringDecoder asked = new QueryStringDecoder(request.uri());
    uri = asked;
    String path;
    try {
      path = asked.path();
      asked.parameters();
    } catch (IllegalArgumentException e) {
      refuse(connection, HttpResponseStatus.BAD_REQUEST, "the URL cannot be read");
      return;
    }
    Route found = routes.of(path, request.headers().get(HttpHeaderNames.CONTENT_TYPE));
    if (found == null) {
      refuse(connection, HttpResponseStatus.NOT_FOUND, "there is nothing at this path");
      return;
    }
    route = found;
    if (!found.isOpen()
        && server
            .access()
            .credentials()
            .filter(known -> !known.admit(request, asked))
            .isPresent()) {
      refuse(
          connection,
          HttpResponseStatus.UNAUTHORIZED,
          "authorization failed: send a name and a password, or a token");
      return;
    }
    announced = HttpUtil.getContentLength(request, 0L);
    if (announced > bodyMax(found)) {
      refuseTooLong(connection);
    } else if (HttpUtil.is100ContinueExpected(request)) {
      connection.writeAndFlush(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  private int bodyMax(Route of) {
    return of.takesPoints()
        ? server.limits().bodyBytes()
        : Math.min(PAGE_BODY_BYTES, server.limits().bodyBytes());
  }

  private void refuseTooLong(ChannelHandlerContext connection) {
    refuse(
        connection,
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the body has more than " + server.limits().bodyBytes() + " bytes: send less at once");
  }

  private void add(ChannelHandlerContext connection, ByteBuf bytes) {
    int more = bytes.readableBytes();
    if (more == 0) {
      return;
    }
    Route to = route;
    if (to == null || length + more > bodyMax(to)) {
      refuseTooLong(connection);
      return;
    }
    if (length + more > body.length) {
      int size = Math.max(FIRST_BYTES, Math.max(length + more, 2 * body.length));
      if (announced >= length + more) {
        size = (int) Math.min(size, announced);
      }
      // The array, and a copy of it where it is longer than the body.
      long needed = 2L * (size - body.length);
      if (!server.memory().reserve(needed)) {
        refuse(
            connection,
            HttpResponseStatus.SERVICE_UNAVAILABLE,
            "the receiver has too many requests in memory: try again");
        return;
      }
      reserved += needed;
      body = Arrays.copyOf(body, size);
    }
    bytes.readBytes(body, length, more);
    length += more;
  }

  private void finish(ChannelHandlerContext connection) {
    cancelDeadline();
    HttpRequest request = head;
    QueryStringDecoder asked = uri;
    Route to = route;
    if (request == null || asked == null || to == null) {
      return;
    }
    // No further request is read before this one is answered, so that answers keep their order.
    connection.channel().config().setAutoRead(false);
    HttpCall call =
        new HttpCall(
            request,
            asked,
            body.length == length ? body : Arrays.copyOf(body, length),
            String.valueOf(connection.channel().remoteAddress()).replaceFirst("^/", ""),
            System.currentTimeMillis(),
            System.nanoTime());
    body = new byte[0];
    server.counts().begin();
    try {
      server.workers().execute(() -> answer(connection, to, call));
    } catch (RejectedExecutionException stopping) {
      server.counts().end();
      refuse(
          connection,
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "the receiver is stopping: try again");
    }
  }

  /** On a worker. */
  private void answer(ChannelHandlerContext connection, Route to, HttpCall call) {
    HttpAnswer answer;
    try {
      answer = to.endpoint().answer(call);
    } catch (RuntimeException | Error e) {
      answer =
          to.endpoint()
              .error(HttpResponseStatus.INTERNAL_SERVER_ERROR, "the receiver failed: " + e);
    }
    HttpAnswer ready = answer;
    if (answer.durable() && server.ack() == Ack.DISK) {
      server
          .intake()
          .whenDurable(
              failure -> send(connection, to, call, failure == null ? ready : lost(to, failure)));
    } else {
      send(connection, to, call, ready);
    }
  }

  private static HttpAnswer lost(Route to, IOException failure) {
    return to.endpoint()
        .error(
            HttpResponseStatus.SERVICE_UNAVAILABLE,
            "the receiver cannot write its log: " + failure.getMessage());
  }

  /** On any thread. */
  private void send(ChannelHandlerContext connection, Route to, HttpCall call, HttpAnswer answer) {
    server.counts().end();
    server.counts().answered(to.protocol(), answer.status().code());
    if (to.takesPoints()) {
      server.counts().answerTimes().add(System.nanoTime() - call.receivedNanos());
    }
    connection
        .executor()
        .execute(
            () -> {
              release();
              boolean keepAlive = HttpUtil.isKeepAlive(call.head());
              write(connection, answer, keepAlive);
              if (keepAlive) {
                expectRequest(connection);
                // A client that does not read its answers sends no more requests.
                connection.channel().config().setAutoRead(connection.channel().isWritable());
              }
            });
  }

  /** Sends an error and closes the connection, whatever the client is still sending. */
  private void refuse(
      ChannelHandlerContext connection, HttpResponseStatus status, String sentence) {
    ended = true;
    cancelDeadline();
    release();
    Route to = route;
    HttpAnswer answer =
        to == null
            ? HttpAnswer.json(status, "{\"error\":\"" + sentence + "\"}")
            : to.endpoint().error(status, sentence);
    server.counts().answered(to == null ? "other" : to.protocol(), status.code());
    write(connection, answer, false);
  }

  private static void write(
      ChannelHandlerContext connection, HttpAnswer answer, boolean keepAlive) {
    byte[] bytes = answer.bytes();
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, answer.status(), Unpooled.wrappedBuffer(bytes));
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    if (answer.status().code() != HttpResponseStatus.NO_CONTENT.code()) {
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
    }
    if (answer.status().code() == HttpResponseStatus.SERVICE_UNAVAILABLE.code()) {
      response.headers().setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
    }
    if (answer.status().code() == HttpResponseStatus.UNAUTHORIZED.code()) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"packhorse\"");
    }
    HttpUtil.setKeepAlive(response, keepAlive);
    var written = connection.writeAndFlush(response);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext connection) {
    if (deadline != null && connection.channel().isWritable()) {
      connection.channel().config().setAutoRead(true);
    }
    connection.fireChannelWritabilityChanged();
  }

  private void release() {
    server.memory().release(reserved);
    reserved = 0;
  }

  @Override
  public void channelInactive(ChannelHandlerContext connection) {
    cancelDeadline();
    if (body.length > 0) {
      release();
    }
    connection.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext connection, Throwable cause) {
    connection.close();
  }
}
