package io.packhorse.loader.receive.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.ReceiverStatus;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Listens for clients. Sockets are served by threads that never wait; bodies are parsed by others.
 * Any number of threads.
 */
public final class ReceiverServer implements Closeable {
  private static final int HEAD_LINE_BYTES_MAX = 8192;
  private static final int HEAD_BYTES_MAX = 32_768;
  private static final int CHUNK_BYTES = 65_536;
  private static final int BACKLOG = 1024;
  private static final int CLOSE_SECONDS = 10;

  private final CurrentIntake intake;
  private final ReceiverStatus status;
  private final Limits limits;
  private final Access access;
  private final Ack ack;
  private final MemoryBudget memory;
  private final ServerCounts counts = new ServerCounts();
  private final EventLoopGroup sockets =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final ExecutorService workers;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final List<Channel> listening = new ArrayList<>();

  /** When a request is answered. */
  public enum Ack {
    /** When the log is on disk. */
    DISK,
    /** When the log has the points, which a crash of the machine can take away. */
    MEMORY
  }

  /**
   * Limits of a server.
   *
   * @param bodyBytes of one body, as it comes
   * @param memoryBytes of all bodies that are being received or parsed
   * @param connections open at the same time
   * @param seconds that a request may take to arrive, or a connection may be silent
   */
  public record Limits(int bodyBytes, long memoryBytes, int connections, int seconds) {}

  /**
   * @param threads that parse bodies
   */
  public ReceiverServer(
      CurrentIntake intake,
      ReceiverStatus status,
      Limits limits,
      Access access,
      Ack ack,
      int threads) {
    this.intake = intake;
    this.access = access;
    this.ack = ack;
    this.status = status;
    this.limits = limits;
    this.memory = new MemoryBudget(limits.memoryBytes());
    this.workers =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "packhorse-receive");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Answers HTTP at an address.
   *
   * @param at with port 0 for any free one
   * @return the address with the port
   * @throws IOException if it is taken
   */
  public InetSocketAddress listenHttp(InetSocketAddress at) throws IOException {
    Routes routes = new Routes(intake, status);
    return listen(
        at,
        channel ->
            channel
                .pipeline()
                .addLast(new HttpServerCodec(HEAD_LINE_BYTES_MAX, HEAD_BYTES_MAX, CHUNK_BYTES))
                .addLast(new FlowControlHandler())
                .addLast(new HttpConnection(this, routes)));
  }

  /** Answers OpenTSDB's telnet commands, as {@link #listenHttp}. */
  public InetSocketAddress listenTelnet(InetSocketAddress at) throws IOException {
    return listenForLines(at, BodyFormat.PUT_LINES);
  }

  /** Takes line protocol with nanoseconds, without answers, as {@link #listenHttp}. */
  public InetSocketAddress listenInflux(InetSocketAddress at) throws IOException {
    return listenForLines(at, BodyFormat.LINES_NS);
  }

  private InetSocketAddress listenForLines(InetSocketAddress at, BodyFormat format)
      throws IOException {
    return listen(
        at,
        channel -> {
          channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
          channel.pipeline().addLast(new LineConnection(this, format));
        });
  }

  private interface Handlers {
    void addTo(Channel channel);
  }

  private InetSocketAddress listen(InetSocketAddress at, Handlers handlers) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(sockets)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    begin(channel, handlers);
                  }
                });
    try {
      Channel channel = bootstrap.bind(at).sync().channel();
      listening.add(channel);
      return (InetSocketAddress) channel.localAddress();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) {
      // Netty throws what is declared nowhere.
      throw new IOException(at + ": " + e.getMessage(), e);
    }
  }

  private void begin(Channel channel, Handlers handlers) {
    boolean fits = counts.connect(limits.connections());
    channel.closeFuture().addListener(closed -> counts.disconnect());
    if (!fits) {
      counts.refuse();
      var unused = channel.close();
      return;
    }
    connections.add(channel);
    access.tls().ifPresent(tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
    handlers.addTo(channel);
  }

  CurrentIntake intake() {
    return intake;
  }

  Access access() {
    return access;
  }

  Limits limits() {
    return limits;
  }

  Ack ack() {
    return ack;
  }

  MemoryBudget memory() {
    return memory;
  }

  ExecutorService workers() {
    return workers;
  }

  /** What it has seen so far. */
  public ServerCounts counts() {
    return counts;
  }

  /** Bytes of requests in memory. */
  public long memoryBytes() {
    return memory.used();
  }

  /** Stops listening, answers the requests that are complete, and closes all connections. */
  @Override
  public void close() {
    for (Channel each : listening) {
      each.close().awaitUninterruptibly();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    while (counts.inWork() > 0 && System.nanoTime() < deadline) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    connections.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    workers.shutdown();
    sockets
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
