package io.packhorse.loader.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.packhorse.loader.cli.HostileRequests.Hostile;
import io.packhorse.loader.cli.HostileRequests.Manner;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that send {@link HostileRequests} to a TSD, each in a thread and with a seed of its own,
 * and read the answers: a JSON answer that says 200 and comes to its end has to be whole JSON, and
 * no request has an internal fault, or no answer, for its outcome.
 */
final class HostileClients {
  private static final long PATIENCE_MS = 12_000;

  /** A TSD answers what it cannot finish after the time limit of queries and ten seconds: 130 s. */
  private static final long LAST_MS = 160_000;

  private static final int LATE_MAX = 200;
  private static final int BAD_MAX = 60;
  private static final JsonFactory JSON = new JsonFactory();

  private final InetSocketAddress tsd;

  /** Threads that wait for late answers while the attackers send other requests. */
  private final List<Thread> late = new ArrayList<>();

  private final AtomicInteger waiting = new AtomicInteger();

  /** How many requests of a kind had which outcome. */
  private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();

  /** What was said with status 500: a fault of the TSD's own, whatever was asked. */
  private final Set<String> faults = ConcurrentHashMap.newKeySet();

  /** Answers that should not have been given. */
  private final Queue<String> bad = new ConcurrentLinkedQueue<>();

  HostileClients(URI tsd) {
    this.tsd = new InetSocketAddress(tsd.getHost(), tsd.getPort());
  }

  Map<String, LongAdder> outcomes() {
    return outcomes;
  }

  Queue<String> bad() {
    return bad;
  }

  /**
   * Sends one request after the other until the time is over. Every other request that has no
   * answer after a while is given up; the rest wait on, and never to be answered is a fault.
   */
  void attack(long seed, long endNanos) {
    HostileRequests requests = new HostileRequests(seed);
    boolean patient = false;
    while (System.nanoTime() < endNanos) {
      Hostile request = requests.next();
      Socket socket = new Socket();
      try {
        socket.connect(tsd, 5_000);
        socket.setSoTimeout((int) PATIENCE_MS);
        count(request, send(request, socket));
      } catch (NothingYet e) {
        patient ^= true;
        if (patient && waiting.incrementAndGet() <= LATE_MAX) {
          await(request, socket, e.in);
          continue;
        }
        count(request, "given up after " + PATIENCE_MS / 1_000 + " s");
      } catch (SocketTimeoutException e) {
        count(request, "answer without end in " + PATIENCE_MS / 1_000 + " s");
      } catch (IOException e) {
        count(request, "connection lost");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      close(socket);
    }
  }

  private void count(Hostile request, String outcome) {
    outcomes.computeIfAbsent(request.kind() + ": " + outcome, kind -> new LongAdder()).increment();
  }

  /** Waits for the end of those that wait for late answers. */
  void awaitLate() throws InterruptedException {
    List<Thread> all;
    synchronized (late) {
      all = List.copyOf(late);
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  private void await(Hostile request, Socket socket, InputStream in) {
    Thread thread = new Thread(() -> readLate(request, socket, in), "late answer");
    synchronized (late) {
      late.add(thread);
    }
    thread.start();
  }

  private void readLate(Hostile request, Socket socket, InputStream in) {
    long began = System.nanoTime();
    try {
      socket.setSoTimeout((int) LAST_MS);
      String outcome = answer(request, in);
      long s = (PATIENCE_MS / 1_000) + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
      count(
          request,
          "late, " + (s <= 30 ? "12-30" : s <= 100 ? "30-100" : "100-") + " s: " + outcome);
    } catch (NothingYet e) {
      count(request, "never answered");
      bad("never answered: " + shortened(text(request)));
    } catch (IOException e) {
      count(request, "late: connection lost");
    } finally {
      waiting.decrementAndGet();
      close(socket);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is over either way.
    }
  }

  private void bad(String what) {
    if (bad.size() < BAD_MAX) {
      bad.add(what);
    }
  }

  private String send(Hostile request, Socket socket) throws IOException, InterruptedException {
    byte[] bytes = request.bytes();
    OutputStream out = socket.getOutputStream();
    int half = bytes.length / 2;
    switch (request.manner()) {
      case HALF_THEN_CLOSED -> {
        out.write(bytes, 0, half);
        return "closed halfway";
      }
      case HALF_THEN_SILENT -> {
        out.write(bytes, 0, half);
        socket.setSoTimeout(1_000);
        try {
          return socket.getInputStream().read() < 0 ? "silent: closed" : "silent: answered";
        } catch (SocketTimeoutException e) {
          return "silent: waited for";
        }
      }
      case IN_PIECES -> {
        int piece = Math.max(1, bytes.length / 10);
        for (int at = 0; at < bytes.length; at += piece) {
          out.write(bytes, at, Math.min(piece, bytes.length - at));
          TimeUnit.MILLISECONDS.sleep(5);
        }
      }
      case PIPELINED -> {
        for (int i = 0; i < 10; i++) {
          out.write(bytes);
        }
      }
      case NOT_READ -> {
        out.write(bytes);
        TimeUnit.MILLISECONDS.sleep(1_000);
        return "not read";
      }
      default -> out.write(bytes);
    }
    out.flush();
    if (request.kind().equals("telnet") || request.kind().equals("noise")) {
      socket.setSoTimeout(200);
      int n = 0;
      try {
        n = socket.getInputStream().readNBytes(1 << 16).length;
      } catch (SocketTimeoutException e) {
        return "read until silence";
      }
      return n == 0 ? "closed" : "answered and closed";
    }
    return answer(request, new BufferedInputStream(socket.getInputStream()));
  }

  private String answer(Hostile request, InputStream in) throws IOException {
    in.mark(1);
    try {
      in.read();
    } catch (SocketTimeoutException e) {
      throw new NothingYet(in);
    }
    in.reset();
    String head = head(in);
    if (head.startsWith("HTTP/1.1 100")) {
      head = head(in);
    }
    if (!head.startsWith("HTTP/1.")) {
      return head.isEmpty() ? "closed without an answer" : "not HTTP";
    }
    String status = head.substring(9, 12);
    String lower = head.toLowerCase(Locale.ROOT);
    InputStream body = new Body(in, lower, request.manner() == Manner.READ_SLOWLY);
    if (status.equals("200")
        && lower.contains("content-type: application/json")
        && !lower.contains("content-encoding:")
        && !text(request).startsWith("HEAD")) {
      try (JsonParser parser = JSON.createParser(body)) {
        while (parser.nextToken() != null) {
          // All of it is what counts.
        }
      } catch (BrokenOff e) {
        return "200, broken off";
      } catch (JsonProcessingException e) {
        bad("200, but no JSON: " + shortened(text(request)) + ": " + e.getMessage());
      }
      return status;
    }
    if (status.startsWith("5") && !lower.contains("content-encoding:")) {
      byte[] told = new byte[600];
      int n = Math.max(0, body.read(told, 0, told.length));
      String said = status + " " + message(new String(told, 0, n, StandardCharsets.UTF_8));
      if (status.equals("500") && faults.add(said)) {
        bad(said + ": " + shortened(text(request)));
      }
      return said;
    }
    return status;
  }

  /** The message of an error, without what differs from request to request. */
  private static String message(String body) {
    int from = body.indexOf("\"message\":\"");
    String text = from < 0 ? body : body.substring(from + 11);
    return text.substring(0, Math.min(90, text.length())).replaceAll("[0-9]+", "N");
  }

  private static String text(Hostile request) {
    return new String(request.bytes(), StandardCharsets.UTF_8);
  }

  private static String shortened(String text) {
    return text.length() <= 1_000 ? text : text.substring(0, 1_000) + "...";
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 1 << 16 && head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** No byte of an answer yet. */
  private static final class NothingYet extends SocketTimeoutException {
    private static final long serialVersionUID = 1;
    private final transient InputStream in;

    NothingYet(InputStream in) {
      this.in = in;
    }
  }

  /** A body that ends before its length, or without its last chunk. */
  private static final class BrokenOff extends EOFException {
    private static final long serialVersionUID = 1;
  }

  /** The body of an answer, by its length or in chunks. */
  private static final class Body extends FilterInputStream {
    private final boolean chunked;
    private final boolean slow;
    private final long giveUpNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    private long left;

    Body(InputStream in, String head, boolean slow) {
      super(in);
      this.slow = slow;
      chunked = head.contains("transfer-encoding: chunked");
      int length = head.indexOf("content-length:");
      left =
          length < 0
              ? 0
              : Long.parseLong(head.substring(length + 15, head.indexOf('\r', length)).strip());
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      if (System.nanoTime() > giveUpNanos) {
        throw new SocketTimeoutException();
      }
      if (slow) {
        try {
          TimeUnit.MILLISECONDS.sleep(2);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      if (chunked && left == 0) {
        left = nextChunk();
      }
      if (left <= 0) {
        return -1;
      }
      int n = in.read(bytes, from, (int) Math.min(count, left));
      if (n < 0) {
        throw new BrokenOff();
      }
      left -= n;
      if (chunked && left == 0) {
        line();
      }
      return n;
    }

    private long nextChunk() throws IOException {
      long size = Long.parseLong(line(), 16);
      return size == 0 ? -1 : size;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new BrokenOff();
        }
        line.append((char) next);
      }
      return line.toString().strip();
    }
  }
}
