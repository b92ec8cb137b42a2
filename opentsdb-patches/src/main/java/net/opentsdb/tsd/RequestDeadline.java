package net.opentsdb.tsd;

import java.util.concurrent.TimeUnit;
import net.opentsdb.utils.Config;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.util.Timeout;
import org.jboss.netty.util.Timer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose request has begun but is not complete after {@value #SETTING} seconds:
 * the socket timeout alone begins anew with each byte, so that a slow client holds its connection
 * for ever.
 *
 * <p>Two handlers, {@link #begin} before the decoders and, for HTTP, {@link Begin#end} behind them;
 * by telnet {@link TelnetLine} says when a line is complete. One instance for each connection, on
 * its I/O thread.
 */
@NullMarked
final class RequestDeadline {
  static final String SETTING = "tsd.core.request.timeout";
  static final int SECONDS_DEFAULT = 60;

  private final Timer timer;
  private final int seconds;
  private volatile @Nullable Timeout running;

  RequestDeadline(Timer timer, Config config) {
    this.timer = timer;
    this.seconds = config.hasProperty(SETTING) ? config.getInt(SETTING) : SECONDS_DEFAULT;
  }

  /** The handler that sees the first bytes of a request. */
  Begin begin() {
    return new Begin();
  }

  private synchronized void start(Channel channel) {
    if (running == null && seconds > 0) {
      running = timer.newTimeout(expired -> expire(channel), seconds, TimeUnit.SECONDS);
    }
  }

  private synchronized void expire(Channel channel) {
    if (running == null) {
      return;
    }
    running = null;
    if (channel.isOpen() && !channel.isReadable()) {
      start(channel); // It is the TSD that does not read on, see TelnetPuts.
    } else {
      channel.close();
    }
  }

  private void stop() {
    if (running != null) { // Most lines of telnet come many in one read.
      stopRunning();
    }
  }

  private synchronized void stopRunning() {
    Timeout timeout = running;
    if (timeout != null) {
      timeout.cancel();
      running = null;
    }
  }

  /** Starts the time at the first bytes after a complete request. */
  final class Begin extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event)
        throws Exception {
      start(context.getChannel());
      super.messageReceived(context, event);
    }

    @Override
    public void channelClosed(ChannelHandlerContext context, ChannelStateEvent event)
        throws Exception {
      stop();
      super.channelClosed(context, event);
    }

    /** Stops the time: a request is complete, or a line. */
    void complete() {
      stop();
    }

    /** The handler that sees complete requests. */
    End end() {
      return new End();
    }
  }

  /** Stops the time at a complete request. */
  final class End extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event)
        throws Exception {
      stop();
      super.messageReceived(context, event);
    }
  }
}
