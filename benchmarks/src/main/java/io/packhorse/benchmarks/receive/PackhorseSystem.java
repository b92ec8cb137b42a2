package io.packhorse.benchmarks.receive;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** {@code packhorse receive} beside the embedded HBase. */
record PackhorseSystem(PackhorseCommand packhorse, Store store) {
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
    Outcome outcome;
    try (ServerProcess receiver = new ServerProcess(packhorse.command(words))) {
      receiver.await(ServerProcess.url(http, "/health"));
      double before = store.cpuSeconds() + Stopwatch.cpuSeconds(receiver.pid());
      Stopwatch watch = new Stopwatch();
      Sender.Sent sent = sender(what.form(), http, telnet, workers).send(what, bodiesPerSecond);
      double acknowledged = watch.seconds();
      ServerProcess.Ended ended = receiver.stop();
      double seconds = watch.seconds();
      double used = ended.cpuSeconds();
      double clientCpu = watch.clientCpuSeconds();
      System.err.printf("receive  last answer after %.2f s%n", acknowledged);
      JsonNode job = newestJob();
      if (job.required("acknowledged").asLong() < what.points()) {
        MeasuredProcess rest = MeasuredProcess.run(resume(job));
        seconds += rest.seconds();
        used += rest.cpuSeconds();
      }
      outcome =
          new Outcome(
              what,
              sent,
              seconds,
              used + store.cpuSeconds() - before,
              clientCpu,
              ended.peakBytes());
    }
    check(what);
    return outcome;
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

  private void check(Bodies what) throws IOException, InterruptedException {
    JsonNode job = newestJob();
    String id = job.required("id").asText();
    if (job.required("acknowledged").asLong() != what.points()) {
      throw new IOException(what.points() + " points expected: " + job);
    }
    JsonNode verified = result("verify", "--level", "counts", "--job", id);
    if (!verified.required("passed").asBoolean()) {
      throw new IOException("verification failed: " + verified);
    }
    TsdAnswers.check(store.tsd(), what);
  }

  private JsonNode result(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(store.option());
    return packhorse.result(command.toArray(String[]::new));
  }
}
