package io.packhorse.benchmarks.receive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Report;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** QuestDB's server, in a folder of its own, with line protocol over HTTP. */
public final class QuestDb {
  /** How often the rows are counted that can be read. */
  private static final int LOOK_MS = 50;

  /** What it did, and what its files take. */
  record Result(Outcome outcome, long bytes) {}

  private QuestDb() {}

  /**
   * What a load of hosts did.
   *
   * @param seconds until a query counts all rows
   * @param serverCpuSeconds in this time
   * @param peakBytes most memory of the server
   * @param bytes of its files
   */
  public record Loaded(
      long rows, double seconds, double serverCpuSeconds, long peakBytes, long bytes) {
    /** Values of all rows. */
    public long points() {
      return rows * Hosts.FIELDS;
    }
  }

  /**
   * Sends TSBS's hosts to a new server, in gzip, over four connections, and compares number and sum
   * of what it has with what was sent.
   *
   * @param steps rows of each host
   */
  public static Loaded load(int hosts, int steps) throws IOException, InterruptedException {
    Result result =
        run(
            new Hosts(hosts, steps).bodies(Form.INFLUX, "cpu", ReceiveBenchmark.ROWS_AT_ONCE, true),
            ReceiveBenchmark.WORKERS);
    Outcome seen = result.outcome();
    return new Loaded(
        seen.what().points() / Hosts.FIELDS,
        seen.seconds(),
        seen.serverCpuSeconds(),
        seen.peakBytes(),
        result.bytes());
  }

  /** As {@link #load}, and adds its figures to a report. */
  public static void measure(String caseName, int hosts, int steps, Report report)
      throws IOException, InterruptedException {
    Loaded loaded = load(hosts, steps);
    String system = "questdb";
    double rowsPerSecond = loaded.rows() / loaded.seconds();
    report.add(caseName, system, "points_per_s", rowsPerSecond * Hosts.FIELDS, "points/s");
    report.add(caseName, system, "rows_per_s", rowsPerSecond, "rows/s");
    report.add(caseName, system, "cpu_s", loaded.serverCpuSeconds(), "s");
    report.add(caseName, system, "peak_rss_mb", loaded.peakBytes() / Outcome.MEGABYTE, "MB");
    report.add(
        caseName, system, "bytes_per_point", (double) loaded.bytes() / loaded.points(), "bytes");
  }

  /** Sends to a new server; the clock runs until a query counts all rows. */
  static Result run(Bodies what, int workers) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-questdb");
    try {
      InetSocketAddress http = ServerProcess.free();
      Files.createDirectory(folder.resolve("conf"));
      Files.writeString(
          folder.resolve("conf").resolve("server.conf"),
          String.join(
              "\n",
              "http.bind.to=127.0.0.1:" + http.getPort(),
              "http.min.enabled=false",
              "line.tcp.enabled=false",
              "pg.enabled=false",
              "telemetry.enabled=false",
              ""));
      Files.writeString(
          folder.resolve("conf").resolve("log.conf"),
          "writers=stdout\nw.stdout.class=io.questdb.log.LogConsoleWriter\nw.stdout.level=ERROR\n");
      try (ServerProcess server = new ServerProcess(command(folder))) {
        server.await(ServerProcess.url(http, "/ping"));
        double before = Stopwatch.cpuSeconds(server.pid());
        Stopwatch watch = new Stopwatch();
        Sender.Sent sent = new Sender(http, "/write", workers).send(what, 0);
        long rows = what.points() / Hosts.FIELDS;
        while (ask(http, "SELECT count() FROM " + what.name()) < rows) {
          Thread.sleep(LOOK_MS);
        }
        double seconds = watch.seconds();
        double clientCpu = watch.clientCpuSeconds();
        double cpu = Stopwatch.cpuSeconds(server.pid()) - before;
        check(http, what);
        ServerProcess.Ended ended = server.stop();
        return new Result(
            new Outcome(what, sent, seconds, cpu, clientCpu, ended.peakBytes()),
            bytes(folder, what.name()));
      }
    } finally {
      delete(folder);
    }
  }

  private static List<String> command(Path folder) throws IOException {
    Path lib = Path.of(System.getProperty("packhorse.lib", ""));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 24) {
      command.add("@" + lib.resolve("jvm-24.options"));
    }
    try (Stream<Path> jars = Files.list(lib.resolve("benchmarks"))) {
      Path jar =
          jars.filter(file -> file.getFileName().toString().startsWith("questdb-"))
              .findAny()
              .orElseThrow(() -> new IOException("no questdb in " + lib));
      // As its own start script has it.
      command.addAll(List.of("-XX:+UseParallelGC", "-p", jar.toString()));
    }
    command.addAll(List.of("-m", "io.questdb/io.questdb.ServerMain", "-d", folder.toString()));
    return command;
  }

  private static void check(InetSocketAddress http, Bodies what) throws IOException {
    String all =
        what.metrics().stream()
            .map(metric -> "sum(" + metric.substring(metric.indexOf('.') + 1) + ")")
            .collect(Collectors.joining("+"));
    long rows = ask(http, "SELECT count() FROM " + what.name());
    long sum = ask(http, "SELECT " + all + " FROM " + what.name());
    if (rows * Hosts.FIELDS != what.points() || sum != what.sum()) {
      throw new IOException(
          String.format(
              "QuestDB has %,d rows with sum %,d; sent were %,d values with sum %,d",
              rows, sum, what.points(), what.sum()));
    }
  }

  /** The one number of an answer; 0 while there is no such table. */
  private static long ask(InetSocketAddress http, String sql) throws IOException {
    String path = "/exec?query=" + ServerProcess.encoded(sql);
    try (InputStream in = ServerProcess.url(http, path).toURL().openStream()) {
      JsonNode answer = new ObjectMapper().readTree(in);
      return answer.path("dataset").path(0).path(0).asLong();
    }
  }

  /** Bytes of the columns of a table, without what is left of its log. */
  private static long bytes(Path folder, String table) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("db"))) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path inside = folder.resolve("db").relativize(file);
        boolean counts =
            inside.getName(0).toString().startsWith(table)
                && !inside.getName(1).toString().matches("wal\\d+|txn_seq");
        bytes += counts ? Files.size(file) : 0;
      }
      return bytes;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
