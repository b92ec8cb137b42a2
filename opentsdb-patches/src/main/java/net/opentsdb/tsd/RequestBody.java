package net.opentsdb.tsd;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.opentsdb.core.QueryException;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.utils.Config;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpChunk;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpMessage;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Collects the chunks of a request's body and ends the connection where it grows too large.
 *
 * <p>Stands behind the decompressor, so that what counts is what the body is, not what it was sent
 * as: at most the limit and one inflated piece of 8 KiB are held. A refused request is answered in
 * a sentence; what the client still sends is dropped unread until as much again has come. One
 * instance a connection, on its I/O thread.
 */
@NullMarked
final class RequestBody extends SimpleChannelUpstreamHandler {
  /** Bytes of a body, when the configuration does not allow chunked requests and so names none. */
  static final int UNCHUNKED_MAX = 1 << 20;

  private final boolean chunksAllowed;
  private final int bytesMax;

  private @Nullable HttpMessage open;
  private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;

  /** Of the chunks collected, until the request has been carried out. */
  private QueryMemory memory = new QueryMemory();

  private boolean refused;
  private long dropped;

  RequestBody(Config config) {
    chunksAllowed = config.enable_chunked_requests();
    bytesMax = chunksAllowed ? config.max_chunked_requests() : UNCHUNKED_MAX;
  }

  @Override
  public void messageReceived(ChannelHandlerContext context, MessageEvent event) throws Exception {
    Object message = event.getMessage();
    if (refused) {
      drop(context.getChannel(), message);
    } else if (message instanceof RequestHeads.Refused request) {
      open = null;
      content = ChannelBuffers.EMPTY_BUFFER;
      refuse(context, request.status(), request.reason());
    } else if (message instanceof HttpMessage request) {
      begin(context, event, request);
    } else if (message instanceof HttpChunk chunk && open != null) {
      add(context, event, open, chunk);
    } else {
      super.messageReceived(context, event);
    }
  }

  @Override
  public void channelClosed(ChannelHandlerContext context, ChannelStateEvent event)
      throws Exception {
    memory.close();
    super.channelClosed(context, event);
  }

  private void begin(ChannelHandlerContext context, MessageEvent event, HttpMessage request) {
    if (hasTwoLengths(request)) {
      refuse(
          context,
          HttpResponseStatus.BAD_REQUEST,
          "The body has two lengths, or a length and a transfer coding");
    } else if (!request.isChunked()) {
      if (request.getContent().readableBytes() > bytesMax) {
        tooLarge(context);
      } else {
        context.sendUpstream(event);
      }
    } else if (!chunksAllowed) {
      refuse(
          context,
          HttpResponseStatus.BAD_REQUEST,
          "Chunked request not supported: tsd.http.request.enable_chunked=true allows bodies over"
              + " 8192 bytes");
    } else if (HttpHeaders.getContentLength(request, 0) > bytesMax) {
      tooLarge(context);
    } else {
      if (HttpHeaders.is100ContinueExpected(request)) {
        Channels.write(
            context,
            Channels.future(context.getChannel()),
            new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
      open = request;
      content = ChannelBuffers.dynamicBuffer(context.getChannel().getConfig().getBufferFactory());
    }
  }

  private void add(
      ChannelHandlerContext context, MessageEvent event, HttpMessage request, HttpChunk chunk) {
    if (content.readableBytes() + (long) chunk.getContent().readableBytes() > bytesMax) {
      open = null;
      content = ChannelBuffers.EMPTY_BUFFER;
      tooLarge(context);
      return;
    }
    try {
      memory.add(chunk.getContent().readableBytes());
    } catch (QueryException e) {
      open = null;
      content = ChannelBuffers.EMPTY_BUFFER;
      memory.close();
      refuse(
          context,
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "No memory is left for this body; send it again later, or a smaller one");
      return;
    }
    content.writeBytes(chunk.getContent());
    if (chunk.isLast()) {
      open = null;
      request.setChunked(false);
      request.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING);
      HttpHeaders.setContentLength(request, content.readableBytes());
      request.setContent(content);
      content = ChannelBuffers.EMPTY_BUFFER;
      QueryMemory ofRequest = memory;
      memory = new QueryMemory();
      try {
        Channels.fireMessageReceived(context, request, event.getRemoteAddress());
      } finally {
        ofRequest.close();
      }
    }
  }

  /** Two lengths, or a length and a coding: what another server would take for the end differs. */
  private static boolean hasTwoLengths(HttpMessage request) {
    List<String> lengths = request.headers().getAll(HttpHeaders.Names.CONTENT_LENGTH);
    List<String> codings = request.headers().getAll(HttpHeaders.Names.TRANSFER_ENCODING);
    if (lengths.size() + codings.size() > 1) {
      return true;
    }
    return codings.stream().anyMatch(coding -> !coding.strip().equalsIgnoreCase("chunked"))
        || lengths.stream().anyMatch(length -> !length.matches("[0-9]{1,18}"));
  }

  private void tooLarge(ChannelHandlerContext context) {
    refuse(
        context,
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body, decompressed, is larger than " + bytesMax + " bytes");
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String why) {
    refused = true;
    String body = "{\"error\":{\"code\":" + status.getCode() + ",\"message\":\"" + why + "\"}}";
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/json; charset=UTF-8");
    response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
    response.setContent(ChannelBuffers.copiedBuffer(body, StandardCharsets.UTF_8));
    HttpHeaders.setContentLength(response, response.getContent().readableBytes());
    context.getChannel().write(response);
  }

  /** Closing with bytes unread would throw the answer away before the client has read it. */
  private void drop(Channel channel, Object message) {
    if (message instanceof HttpChunk chunk) {
      dropped += chunk.getContent().readableBytes();
      if (!chunk.isLast() && dropped <= bytesMax) {
        return;
      }
    }
    channel.close();
  }
}
