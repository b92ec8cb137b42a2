package net.opentsdb.tsd;

import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.handler.codec.frame.TooLongFrameException;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequestDecoder;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests. What cannot be read as one, or is too long, becomes a {@link Refused}, which
 * {@link RequestBody} answers; without that the connection would be closed without an answer. All
 * that comes after it is dropped.
 *
 * <p>One instance for each connection, on its I/O thread.
 */
@NullMarked
final class RequestHeads extends HttpRequestDecoder {
  private static final int LINE_MAX = 4096;
  private static final int HEADERS_MAX = 8192;
  private static final int CHUNK_MAX = 8192;

  private boolean refused;

  RequestHeads() {
    super(LINE_MAX, HEADERS_MAX, CHUNK_MAX);
  }

  @Override
  protected @Nullable Object decode(
      ChannelHandlerContext context, Channel channel, ChannelBuffer buffer, State state)
      throws Exception {
    if (refused) {
      buffer.skipBytes(actualReadableBytes());
      return null;
    }
    try {
      return super.decode(context, channel, buffer, state);
    } catch (TooLongFrameException e) {
      return refuse(buffer, tooLong(getState()));
    } catch (RuntimeException e) {
      return refuse(
          buffer,
          new Refused(HttpResponseStatus.BAD_REQUEST, "This cannot be read as an HTTP request"));
    }
  }

  private Refused refuse(ChannelBuffer buffer, Refused request) {
    refused = true;
    buffer.skipBytes(actualReadableBytes());
    return request;
  }

  private static Refused tooLong(State state) {
    return switch (state) {
      case SKIP_CONTROL_CHARS, READ_INITIAL ->
          new Refused(
              HttpResponseStatus.REQUEST_URI_TOO_LONG,
              "The request line is longer than "
                  + LINE_MAX
                  + " bytes; send a long query as JSON with POST");
      case READ_HEADER ->
          new Refused(
              HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
              "The headers are larger than " + HEADERS_MAX + " bytes");
      default ->
          new Refused(
              HttpResponseStatus.BAD_REQUEST, "A line between the body's chunks is too long");
    };
  }

  /** Stands for a request that could not be read. */
  static final class Refused extends DefaultHttpRequest {
    private final HttpResponseStatus status;
    private final String reason;

    Refused(HttpResponseStatus status, String reason) {
      super(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
      this.status = status;
      this.reason = reason;
    }

    /** The status of its answer. */
    HttpResponseStatus status() {
      return status;
    }

    /** What to tell the client, without characters that JSON escapes. */
    String reason() {
      return reason;
    }
  }
}
