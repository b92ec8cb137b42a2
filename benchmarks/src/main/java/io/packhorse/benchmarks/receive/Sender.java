package io.packhorse.benchmarks.receive;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load generator that costs little: some connections that each send a body, wait for the answer
 * and send the next.
 *
 * @param address of the server
 * @param path of HTTP requests
 * @param workers connections
 */
record Sender(InetSocketAddress address, String path, int workers) {
  private static final long RETRY_MS = 1_000;

  /** At a limited speed this share is not timed: the server's JVM has just started. */
  private static final int WARM_UP_SHARE = 5;

  /** A way to send one after the other on one connection. */
  private interface Connection {
    /** Sends a body and waits for the answer, if the protocol has one. */
    void send(byte[] body) throws IOException, InterruptedException;

    /** Returns when the server has read everything. */
    void end() throws IOException, InterruptedException;
  }

  /**
   * What was sent.
   *
   * @param answersNs how long each answer took, in ascending order; empty if there are none
   * @param retries requests that were sent again because the server was busy
   */
  record Sent(long[] answersNs, int retries) {
    double millis(double quantile) {
      return answersNs[(int) (quantile * (answersNs.length - 1))] / 1e6;
    }
  }

  /**
   * Sends all.
   *
   * @param bodiesPerSecond how fast, answers being timed from when a body was due, without the
   *     first fifth; 0: as fast as it goes, all answers being timed
   * @throws IOException if an answer is no success
   */
  Sent send(Bodies what, double bodiesPerSecond) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger retries = new AtomicInteger();
    List<byte[]> bodies = what.bodies();
    long[] answers = new long[bodies.size()];
    long start = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        running.add(
            threads.submit(
                () -> {
                  try (Socket socket = new Socket()) {
                    socket.setTcpNoDelay(true);
                    socket.connect(address);
                    Connection connection =
                        what.form() == Form.TELNET
                            ? new Telnet(socket)
                            : new Http(socket, head(what), retries);
                    for (int at = next.getAndIncrement();
                        at < bodies.size();
                        at = next.getAndIncrement()) {
                      long begun = System.nanoTime();
                      if (bodiesPerSecond > 0) {
                        begun = start + (long) (at / bodiesPerSecond * 1e9);
                        sleepUntil(begun);
                      }
                      connection.send(bodies.get(at));
                      answers[at] = System.nanoTime() - begun;
                    }
                    connection.end();
                    return null;
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("sending to " + address + path + " failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    if (what.form() == Form.TELNET) {
      return new Sent(new long[0], 0);
    }
    int first = bodiesPerSecond > 0 ? answers.length / WARM_UP_SHARE : 0;
    long[] timed = Arrays.copyOfRange(answers, first, answers.length);
    Arrays.sort(timed);
    return new Sent(timed, retries.get());
  }

  private static void sleepUntil(long ns) throws InterruptedException {
    long wait = ns - System.nanoTime();
    if (wait > 0) {
      Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
    }
  }

  private String head(Bodies what) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: "
        + address.getHostString()
        + ":"
        + address.getPort()
        + "\r\nUser-Agent: tsbs_load_influx\r\nContent-Type: "
        + what.form().contentType
        + (what.encoding().isEmpty() ? "" : "\r\nContent-Encoding: " + what.encoding())
        + "\r\nContent-Length: ";
  }

  /** HTTP 1.1 on a connection that is kept. */
  private static final class Http implements Connection {
    private final InputStream in;
    private final OutputStream out;
    private final String head;
    private final AtomicInteger retries;

    Http(Socket socket, String head, AtomicInteger retries) throws IOException {
      this.in = new BufferedInputStream(socket.getInputStream());
      this.out = socket.getOutputStream();
      this.head = head;
      this.retries = retries;
    }

    @Override
    public void send(byte[] body) throws IOException, InterruptedException {
      byte[] first = (head + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
      byte[] request = Arrays.copyOf(first, first.length + body.length);
      System.arraycopy(body, 0, request, first.length, body.length);
      while (true) {
        out.write(request);
        String status = line();
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
          String lower = header.toLowerCase(Locale.ROOT);
          if (lower.startsWith("content-length:")) {
            length = Integer.parseInt(lower.substring(15).strip());
          }
        }
        byte[] text = in.readNBytes(length);
        if (status.contains(" 204")) {
          return;
        }
        if (!status.contains(" 503")) {
          throw new IOException(status + ": " + new String(text, StandardCharsets.UTF_8));
        }
        retries.incrementAndGet();
        Thread.sleep(RETRY_MS);
      }
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new IOException("closed after: " + line);
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }

    @Override
    public void end() {
      // Every body has its answer.
    }
  }

  /** Puts without an answer, and at the end a question that has one. */
  private static final class Telnet implements Connection {
    private final Socket socket;

    Telnet(Socket socket) {
      this.socket = socket;
    }

    @Override
    public void send(byte[] body) throws IOException {
      socket.getOutputStream().write(body);
    }

    @Override
    public void end() throws IOException {
      // No exit: a TSD closes the connection then before it has answered.
      socket.getOutputStream().write("version\n".getBytes(StandardCharsets.US_ASCII));
      String said =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      if (said == null || !said.startsWith("net.opentsdb")) {
        throw new IOException("said to puts: " + said);
      }
    }
  }
}
