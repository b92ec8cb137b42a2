package io.packhorse.loader.receive.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;
import io.packhorse.loader.receive.BodyEncoding;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.ReceivedBody;
import io.packhorse.loader.receive.RefusedBodyException;
import io.packhorse.loader.source.record.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends lines: OpenTSDB's telnet commands, mostly {@code put}, or nothing but
 * points in line protocol. Points that are taken have no answer, in line protocol rejected ones
 * neither; so there is no way to say that the receiver is busy, and it stops reading instead. On
 * the connection's event loop, but where a method says otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that fails is closed
final class LineConnection extends ChannelInboundHandlerAdapter {
  private static final int FIRST_BYTES = 4096;
  private static final int BYTES_MAX = 1 << 20;
  private static final int RETRY_MS = 200;
  private static final int WORD_SHOWN = 64;
  private static final String HELP = "available commands: exit help put stats version\n";
  private static final String VERSION =
      "net.opentsdb.tools 2.4.1 built at revision packhorse (MINT)\nBuilt on packhorse\n";

  private final ReceiverServer server;
  private final BodyFormat format;
  private byte[] buffer = {};
  private int length;
  private long reserved;
  private boolean working;
  private boolean ended;

  /** The client sends no more, but may still read answers. */
  private boolean inputEnded;

  private @Nullable ScheduledFuture<?> deadline;

  /**
   * @param format of the points; only with {@link BodyFormat#PUT_LINES} there are commands and
   *     answers
   */
  LineConnection(ReceiverServer server, BodyFormat format) {
    this.server = server;
    this.format = format;
  }

  private boolean isTelnet() {
    return format == BodyFormat.PUT_LINES;
  }

  @Override
  public void channelActive(ChannelHandlerContext connection) {
    expectLines(connection);
    connection.fireChannelActive();
  }

  private void expectLines(ChannelHandlerContext connection) {
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
  public void channelRead(ChannelHandlerContext connection, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (!ended) {
        add(connection, bytes);
      }
    } finally {
      bytes.release();
    }
  }

  private void add(ChannelHandlerContext connection, ByteBuf bytes) {
    int more = bytes.readableBytes();
    if (length + more > buffer.length) {
      int size = Math.max(FIRST_BYTES, Math.max(length + more, 2 * buffer.length));
      long needed = 2L * (size - buffer.length);
      if (!server.memory().reserve(needed)) {
        end(connection, "put: Please throttle writes: the receiver has too much in memory\n");
        return;
      }
      reserved += needed;
      buffer = Arrays.copyOf(buffer, size);
    }
    bytes.readBytes(buffer, length, more);
    length += more;
    if (length >= BYTES_MAX) {
      connection.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext connection) {
    work(connection);
    connection.fireChannelReadComplete();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext connection, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      work(connection);
    }
    connection.fireUserEventTriggered(event);
  }

  /** Answers of bad lines are read again: go on. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext connection) {
    work(connection);
    connection.fireChannelWritabilityChanged();
  }

  /** Has the lines that are complete worked on, unless others are, or answers are not read. */
  private void work(ChannelHandlerContext connection) {
    if (working || ended) {
      return;
    }
    if (!connection.channel().isWritable()) {
      connection.channel().config().setAutoRead(false);
      return;
    }
    int end = length;
    while (end > 0 && buffer[end - 1] != '\n') {
      end--;
    }
    if (end == 0) {
      if (length >= BYTES_MAX) {
        end(connection, "error: a line has more than " + BYTES_MAX + " bytes\n");
      } else {
        connection.channel().config().setAutoRead(true);
        if (inputEnded) {
          end(connection, "");
        }
      }
      return;
    }
    byte[] lines = Arrays.copyOf(buffer, end);
    System.arraycopy(buffer, end, buffer, 0, length - end);
    length -= end;
    working = true;
    cancelDeadline();
    server.counts().begin();
    String client = String.valueOf(connection.channel().remoteAddress()).replaceFirst("^/", "");
    execute(connection, new Work(connection, client, lines));
  }

  private void execute(ChannelHandlerContext connection, Work work) {
    try {
      server.workers().execute(work);
    } catch (RejectedExecutionException stopping) {
      server.counts().end();
      connection.close();
    }
  }

  /** Lines that are being worked on; one thread at a time. */
  private final class Work implements Runnable {
    private final ChannelHandlerContext connection;
    private final String client;
    private final byte[] lines;
    private final StringBuilder answer = new StringBuilder();
    private int at;
    private boolean exits;

    Work(ChannelHandlerContext connection, String client, byte[] lines) {
      this.connection = connection;
      this.client = client;
      this.lines = lines;
    }

    /** On a worker. */
    @Override
    public void run() {
      try {
        while (at < lines.length && !exits) {
          int pointsEnd = isTelnet() ? endOfPuts(at) : lines.length;
          if (pointsEnd > at) {
            take(pointsEnd);
            at = pointsEnd;
          } else {
            int end = endOfLine(at);
            command(new String(lines, at, end - at, StandardCharsets.UTF_8).strip());
            at = end;
          }
        }
      } catch (RefusedBodyException busy) {
        connection
            .executor()
            .schedule(() -> execute(connection, this), RETRY_MS, TimeUnit.MILLISECONDS);
        return;
      } catch (RuntimeException | Error e) {
        answer.append("error: the receiver failed: ").append(e).append('\n');
        exits = true;
      }
      server.counts().end();
      connection.executor().execute(this::done);
    }

    private void take(int end) throws RefusedBodyException {
      Taken taken =
          server
              .intake()
              .take(
                  new ReceivedBody(
                      format,
                      BodyEncoding.PLAIN,
                      System.currentTimeMillis(),
                      client,
                      Arrays.copyOfRange(lines, at, end)));
      if (isTelnet()) {
        taken.rejects().forEach(this::tell);
      }
      server
          .counts()
          .answered(isTelnet() ? "telnet" : "influx-tcp", taken.rejected() == 0 ? 204 : 400);
    }

    private void tell(RejectedRecord reject) {
      answer
          .append("put: illegal argument: ")
          .append(reject.reason())
          .append(": ")
          .append(reject.text(), 0, Math.min(reject.text().length(), 4 * WORD_SHOWN))
          .append('\n');
    }

    private void command(String line) {
      String word = line.split("[ \t]", 2)[0];
      switch (word) {
        case "" -> {}
        case "version" -> answer.append(VERSION);
        case "help" -> answer.append(HELP);
        case "stats" -> answer.append("");
        case "exit" -> exits = true;
        default ->
            answer
                .append("unknown command: ")
                .append(word, 0, Math.min(word.length(), WORD_SHOWN))
                .append(".  Try `help'.\n");
      }
    }

    private int endOfPuts(int from) {
      int end = from;
      while (end + 3 < lines.length
          && lines[end] == 'p'
          && lines[end + 1] == 'u'
          && lines[end + 2] == 't'
          && (lines[end + 3] == ' ' || lines[end + 3] == '\t')) {
        end = endOfLine(end);
      }
      return end;
    }

    private int endOfLine(int from) {
      int end = from;
      while (lines[end] != '\n') {
        end++;
      }
      return end + 1;
    }

    /** On the event loop. */
    private void done() {
      working = false;
      if (exits) {
        end(connection, answer.toString());
        return;
      }
      expectLines(connection);
      if (!answer.isEmpty()) {
        connection.writeAndFlush(Unpooled.copiedBuffer(answer.toString(), StandardCharsets.UTF_8));
      }
      work(connection);
    }
  }

  private void end(ChannelHandlerContext connection, String lastWords) {
    ended = true;
    connection
        .writeAndFlush(Unpooled.copiedBuffer(lastWords, StandardCharsets.UTF_8))
        .addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void channelInactive(ChannelHandlerContext connection) {
    cancelDeadline();
    server.memory().release(reserved);
    reserved = 0;
    connection.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext connection, Throwable cause) {
    connection.close();
  }
}
