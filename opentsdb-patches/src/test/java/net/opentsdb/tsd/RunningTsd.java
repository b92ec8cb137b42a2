package net.opentsdb.tsd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;

/**
 * A TSD that listens on loopback and has no cluster behind it: its whole front, as TSDMain sets it
 * up, for requests that must be refused before anything is read.
 *
 * <p>One at a time in a JVM, since OpenTSDB keeps its commands in a static place.
 */
final class RunningTsd implements AutoCloseable {
  private final TSDB tsdb;
  private final NioServerSocketChannelFactory factory;
  private final Channel listener;

  private RunningTsd(TSDB tsdb, NioServerSocketChannelFactory factory, Channel listener) {
    this.tsdb = tsdb;
    this.factory = factory;
    this.listener = listener;
  }

  /** Starts one with a static root and a cache below {@code home}; other settings are defaults. */
  static RunningTsd start(Path home, Map<String, String> settings) throws IOException {
    Config config = new Config(false);
    config.overrideConfig("tsd.storage.hbase.zk_quorum", "127.0.0.1:1");
    config.overrideConfig("tsd.storage.enable_compaction", "false");
    config.overrideConfig(
        "tsd.http.staticroot", Files.createDirectories(home.resolve("static")).toString());
    config.overrideConfig(
        "tsd.http.cachedir", Files.createDirectories(home.resolve("cache")).toString());
    settings.forEach(config::overrideConfig);
    config.loadStaticVariables();
    TSDB tsdb = new TSDB(config);
    NioServerSocketChannelFactory factory =
        new NioServerSocketChannelFactory(
            Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 2);
    ServerBootstrap server = new ServerBootstrap(factory);
    server.setPipelineFactory(new PipelineFactory(tsdb));
    Channel listener = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return new RunningTsd(tsdb, factory, listener);
  }

  int port() {
    return ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  TSDB tsdb() {
    return tsdb;
  }

  /**
   * What came back.
   *
   * @param headers names in lower case
   */
  record Answer(int status, Map<String, String> headers, String body) {
    String type() {
      return headers.getOrDefault("content-type", "");
    }
  }

  /** A request without a body, sent as written, percent signs and angle brackets and all. */
  Answer send(String method, String target, String... headers) throws IOException {
    return send(method, target, new byte[0], headers);
  }

  /** The same with a body; its length is added unless the headers frame it themselves. */
  Answer send(String method, String target, byte[] body, String... headers) throws IOException {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Connection: close\r\n");
    boolean framed = false;
    boolean addressed = false;
    for (String header : headers) {
      head.append(header).append("\r\n");
      String name = header.toLowerCase(Locale.ROOT);
      addressed |= name.startsWith("host:");
      framed |= name.startsWith("content-length") || name.startsWith("transfer-encoding");
    }
    if (!addressed) {
      head.append("Host: localhost\r\n");
    }
    if (!framed && body.length > 0) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    head.append("\r\n");
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    request.writeBytes(body);
    return parse(exchange(request.toByteArray()));
  }

  /** What comes back on a connection until the TSD, or silence after the first words, ends it. */
  String exchange(byte[] bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(listener.getLocalAddress(), 5_000);
      socket.setSoTimeout(30_000);
      try {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
      } catch (SocketException e) {
        // It has hung up on us; what it said before is what counts.
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[8192];
      try {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          answer.write(buffer, 0, n);
          socket.setSoTimeout(2_000);
        }
      } catch (IOException e) {
        // Silence or a reset: the end either way.
      }
      return answer.toString(StandardCharsets.UTF_8);
    }
  }

  private static Answer parse(String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no HTTP answer: " + text);
    }
    String[] lines = text.substring(0, end).split("\r\n", -1);
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    return new Answer(
        Integer.parseInt(lines[0].split(" ", 3)[1]), headers, text.substring(end + 4));
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    ConnectionManager.closeAllConnections();
    RpcManager.instance(tsdb).shutdown();
    factory.releaseExternalResources();
    tsdb.getTimer().stop();
  }
}
