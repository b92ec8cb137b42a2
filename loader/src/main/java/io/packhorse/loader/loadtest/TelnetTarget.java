package io.packhorse.loader.loadtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's lines over TCP. A put is answered only if it is refused, so each batch ends with
 * {@code version}, whose answer comes after the lines before it were read.
 */
final class TelnetTarget implements WriteTarget {
  private final InetSocketAddress address;
  private final int timeoutMs;
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

  private record Connection(Socket socket, BufferedReader answers) {}

  TelnetTarget(URI target, Duration timeout) {
    this.address = new InetSocketAddress(target.getHost(), target.getPort());
    this.timeoutMs = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
  }

  @Override
  public String send(String body) {
    Connection connection = idle.poll();
    try {
      if (connection == null) {
        connection = connect();
      }
      connection.socket().getOutputStream().write(body.getBytes(UTF_8));
      String error = "";
      for (String line = connection.answers().readLine();
          line == null || !line.startsWith("Built on");
          line = connection.answers().readLine()) {
        if (line == null) {
          connection.socket().close();
          return "connection lost";
        }
        error = line.startsWith("put:") ? "refused" : error;
      }
      idle.push(connection);
      return error;
    } catch (IOException e) {
      close(connection);
      if (e instanceof SocketTimeoutException) {
        return "timeout";
      }
      return e instanceof ConnectException ? "connection refused" : "connection lost";
    }
  }

  private Connection connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(timeoutMs);
      socket.connect(address, timeoutMs);
      return new Connection(
          socket, new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void close(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.socket().close();
      } catch (IOException e) {
        // It is of no use any more.
      }
    }
  }

  @Override
  public void close() {
    for (Connection each = idle.poll(); each != null; each = idle.poll()) {
      close(each);
    }
  }
}
