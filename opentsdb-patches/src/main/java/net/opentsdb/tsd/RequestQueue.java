package net.opentsdb.tsd;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.FileRegion;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelHandler;
import org.jboss.netty.handler.codec.http.HttpChunk;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the requests of a connection one after the other, each when the one before has been
 * answered: a client that sends several at once takes the first answer for that of the first one,
 * and the chunks of two answers must not mix.
 *
 * <p>While requests wait, no more are read. One instance for each connection, on any thread.
 */
@NullMarked
final class RequestQueue extends SimpleChannelHandler {
  private final Deque<MessageEvent> waiting = new ArrayDeque<>();
  private boolean busy;

  /** Used on the I/O thread only. */
  private boolean passing;

  @Override
  public void messageReceived(ChannelHandlerContext context, MessageEvent event) throws Exception {
    if (!(event.getMessage() instanceof HttpRequest)) {
      super.messageReceived(context, event);
      return;
    }
    boolean wait;
    synchronized (waiting) {
      waiting.add(event);
      wait = busy;
    }
    if (wait) {
      context.getChannel().setReadable(false);
    } else {
      passOn(context);
    }
  }

  private void passOn(ChannelHandlerContext context) {
    if (passing) {
      return; // The loop below goes on.
    }
    passing = true;
    try {
      for (MessageEvent next = next(); next != null; next = next()) {
        context.sendUpstream(next);
      }
    } finally {
      passing = false;
    }
  }

  private @Nullable MessageEvent next() {
    synchronized (waiting) {
      if (busy || waiting.isEmpty()) {
        return null;
      }
      busy = true;
      return waiting.poll();
    }
  }

  @Override
  public void writeRequested(ChannelHandlerContext context, MessageEvent event) throws Exception {
    super.writeRequested(context, event);
    if (ends(event.getMessage())) {
      boolean more;
      synchronized (waiting) {
        busy = false;
        more = !waiting.isEmpty();
      }
      if (more) {
        context.getPipeline().execute(() -> resume(context));
      }
    }
  }

  private void resume(ChannelHandlerContext context) {
    passOn(context);
    synchronized (waiting) {
      if (!waiting.isEmpty()) {
        return;
      }
    }
    context.getChannel().setReadable(true);
  }

  /** Whether an answer ends with this message. */
  private static boolean ends(Object message) {
    if (message instanceof HttpResponse response) {
      boolean fileFollows =
          !response.getContent().readable() && HttpHeaders.getContentLength(response, 0) > 0;
      return response.getStatus().getCode() >= 200 && !response.isChunked() && !fileFollows;
    }
    return message instanceof FileRegion || (message instanceof HttpChunk chunk && chunk.isLast());
  }
}
