package net.opentsdb.tsd;

import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.handler.codec.embedder.CodecEmbedderException;
import org.jboss.netty.handler.codec.http.HttpContentDecompressor;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * Inflates bodies. One that is not compressed as its header says is refused, not dropped with its
 * connection. One instance for each connection, on its I/O thread.
 */
@NullMarked
final class RequestInflater extends HttpContentDecompressor {
  private boolean refused;

  @Override
  public void messageReceived(ChannelHandlerContext context, MessageEvent event) throws Exception {
    if (refused) {
      context.sendUpstream(event);
      return;
    }
    try {
      super.messageReceived(context, event);
    } catch (CodecEmbedderException e) {
      refused = true;
      Channels.fireMessageReceived(
          context,
          new RequestHeads.Refused(
              HttpResponseStatus.BAD_REQUEST,
              "The body is not compressed as its header Content-Encoding says"),
          event.getRemoteAddress());
    }
  }
}
