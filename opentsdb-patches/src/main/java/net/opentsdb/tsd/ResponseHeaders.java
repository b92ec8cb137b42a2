package net.opentsdb.tsd;

import org.jboss.netty.channel.ChannelHandler;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelDownstreamHandler;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.NullMarked;

/**
 * Adds the security headers for browsers to each answer.
 *
 * <p>A handler that sets one of them itself keeps its own. One instance serves all connections.
 */
@NullMarked
@ChannelHandler.Sharable
final class ResponseHeaders extends SimpleChannelDownstreamHandler {
  static final String POLICY = "Content-Security-Policy";
  static final String RESOURCE_POLICY = "Cross-Origin-Resource-Policy";

  @Override
  public void writeRequested(ChannelHandlerContext context, MessageEvent event) throws Exception {
    if (event.getMessage() instanceof HttpResponse response) {
      HttpHeaders headers = response.headers();
      setIfAbsent(headers, "X-Content-Type-Options", "nosniff");
      setIfAbsent(headers, "X-Frame-Options", "DENY");
      setIfAbsent(headers, "Referrer-Policy", "no-referrer");
      setIfAbsent(headers, RESOURCE_POLICY, "same-origin");
      setIfAbsent(headers, POLICY, "default-src 'none'; frame-ancestors 'none'");
    }
    super.writeRequested(context, event);
  }

  private static void setIfAbsent(HttpHeaders headers, String name, String value) {
    if (!headers.contains(name)) {
      headers.set(name, value);
    }
  }
}
