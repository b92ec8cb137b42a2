package net.opentsdb.tsd;

import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFutureListener;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.handler.codec.frame.FrameDecoder;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the telnet-style input into lines, and ends the connection at one that is too long.
 *
 * <p>Whether a line is too long depends on the line, not on how it was split on the way. One
 * instance a connection, on its I/O thread.
 */
@NullMarked
final class TelnetLine extends FrameDecoder {
  /** Longest line in bytes, its end left out. */
  static final int BYTES_MAX = 8192;

  private final RequestDeadline.Begin deadline;
  private boolean refused;

  TelnetLine(RequestDeadline.Begin deadline) {
    this.deadline = deadline;
  }

  @Override
  protected @Nullable Object decode(
      ChannelHandlerContext context, Channel channel, ChannelBuffer buffer) {
    if (refused) {
      buffer.skipBytes(buffer.readableBytes());
      return null;
    }
    int next = buffer.bytesBefore((byte) '\n');
    int length = next < 0 ? buffer.readableBytes() : next;
    boolean carriageReturn =
        length > 0 && buffer.getByte(buffer.readerIndex() + length - 1) == '\r';
    if (carriageReturn) {
      length--;
    }
    if (length > BYTES_MAX) {
      refused = true;
      buffer.skipBytes(buffer.readableBytes());
      channel
          .write("error: a line may have at most " + BYTES_MAX + " bytes\n")
          .addListener(ChannelFutureListener.CLOSE);
      return null;
    }
    if (next < 0) {
      return null;
    }
    ChannelBuffer line = buffer.readBytes(length);
    buffer.skipBytes(next - length + 1);
    deadline.complete();
    return line;
  }
}
