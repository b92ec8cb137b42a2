package io.packhorse.benchmarks.receive;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** {@code packhorse receive} beside the embedded HBase. */
public record PackhorseSystem(PackhorseCommand packhorse, Store store) {
  /**
   * Sends to a receiver of its own; the clock runs until that, told to stop by SIGTERM, has stored
   * everything and ended. What it does not store within its 30 seconds, {@code job resume} does.
   */
  Outcome run(Bodies what, int workers) throws IOException, InterruptedException {
    return run(what, workers, 0);
  }

  /** Sends half as fast as a run before, for its latencies. */
  Sender.Sent atHalf(Outcome full, Bodies what, int workers)
      throws IOException, InterruptedException {
    return run(what, workers, full.what().bodies().size() / full.seconds() / 2).sent();
  }

  private Outcome run(Bodies what, int workers, double bodiesPerSecond)
      throws IOException, InterruptedException {
    Received received =
        receive(
            what.points(),
            (http, telnet) ->
                sender(what.form(), http, telnet, workers).send(what, bodiesPerSecond));
    TsdAnswers.check(store.tsd(), what);
    return new Outcome(
        what,
        received.sent,
        received.seconds,
        received.cpuSeconds,
        received.clientCpuSeconds,
        received.peakBytes);
  }

  /**
   * Has {@code loadtest inch} write to a receiver, adds its figures to a report, and has the points
   * counted. The clock runs as in a run of other clients, from the start of inch's JVM on.
   *
   * @param options of inch, without its server
   * @param points that it writes with them
   */
  public void inch(String caseName, List<String> options, long points, Report report)
      throws IOException, InterruptedException {
    Received received =
        receive(
            points,
            (http, telnet) -> {
              List<String> words = new ArrayList<>(List.of("loadtest", "inch", "-host"));
              words.add(ServerProcess.url(http, "").toString());
              words.addAll(options);
              MeasuredProcess.run(packhorse.command(words));
              return new Sender.Sent(new long[0], 0);
            });
    report.add(caseName, "packhorse", "points_per_s", points / received.seconds, "points/s");
    report.add(caseName, "packhorse", "cpu_s", received.cpuSeconds, "s");
    report.add(caseName, "packhorse", "peak_rss_mb", received.peakBytes / Outcome.MEGABYTE, "MB");
  }

  /** Sends everything to a receiver. */
  private interface Client {
    Sender.Sent send(InetSocketAddress http, InetSocketAddress telnet)
        throws IOException, InterruptedException;
  }

  /** As in {@link Outcome}. */
  private record Received(
      Sender.Sent sent,
      double seconds,
      double cpuSeconds,
      double clientCpuSeconds,
      long peakBytes) {}

  private Received receive(long points, Client client) throws IOException, InterruptedException {
    InetSocketAddress http = ServerProcess.free();
    InetSocketAddress telnet = ServerProcess.free();
    List<String> words =
        new ArrayList<>(
            List.of(
                "receive",
                "--http",
                "" + http.getPort(),
                "--telnet",
                "" + telnet.getPort(),
                "--max-tags",
                "10"));
    words.addAll(store.option());
    Received received;
    try (ServerProcess receiver = new ServerProcess(packhorse.command(words))) {
      receiver.await(ServerProcess.url(http, "/metrics"), "packhorse_receive_store_away 0\n");
      double before = store.cpuSeconds() + Stopwatch.cpuSeconds(receiver.pid());
      Stopwatch watch = new Stopwatch();
      double childrenBefore = MeasuredProcess.cpuOfChildren();
      Sender.Sent sent = client.send(http, telnet);
      double clientProcesses = MeasuredProcess.cpuOfChildren() - childrenBefore;
      double acknowledged = watch.seconds();
      ServerProcess.Ended ended = receiver.stop();
      double seconds = watch.seconds();
      double used = ended.cpuSeconds() - clientProcesses;
      double clientCpu = watch.clientCpuSeconds();
      System.err.printf("receive  last answer after %.2f s%n", acknowledged);
      JsonNode job = newestJob();
      if (!job.required("state").asText().equals("loaded")) {
        MeasuredProcess rest = MeasuredProcess.run(resume(job));
        seconds += rest.seconds();
        used += rest.cpuSeconds();
      }
      received =
          new Received(
              sent, seconds, used + store.cpuSeconds() - before, clientCpu, ended.peakBytes());
    }
    check(points);
    return received;
  }

  private List<String> resume(JsonNode job) {
    List<String> words = new ArrayList<>(List.of("job", "resume", job.required("id").asText()));
    words.addAll(store.option());
    return packhorse.command(words);
  }

  private JsonNode newestJob() throws IOException, InterruptedException {
    JsonNode jobs = result("job", "list").required("jobs");
    return jobs.required(jobs.size() - 1);
  }

  private static Sender sender(
      Form form, InetSocketAddress http, InetSocketAddress telnet, int workers) {
    return switch (form) {
      case INFLUX -> new Sender(http, "/write?consistency=all&db=benchmark", workers);
      case JSON -> new Sender(http, "/api/put", workers);
      case REMOTE_WRITE -> new Sender(http, "/api/v1/write", workers);
      case TELNET -> new Sender(telnet, "", workers);
    };
  }

  private void check(long points) throws IOException, InterruptedException {
    JsonNode job = newestJob();
    String id = job.required("id").asText();
    if (job.required("acknowledged").asLong() != points) {
      throw new IOException(points + " points expected: " + job);
    }
    JsonNode verified = result("verify", "--level", "counts", "--job", id);
    if (!verified.required("passed").asBoolean()) {
      throw new IOException("verification failed: " + verified);
    }
  }

  private JsonNode result(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(store.option());
    return packhorse.result(command.toArray(String[]::new));
  }
}
