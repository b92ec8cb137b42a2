package io.packhorse.benchmarks.receive;

import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.util.List;

/**
 * Points of clients through a receiver into an embedded store, beside the patched TSD's own puts
 * and QuestDB. The clock runs until all points are acknowledged and can be read; then all are
 * counted and summed up. Every system starts with no series and with a JVM that has just started.
 */
public final class ReceiveBenchmark implements Benchmark {
  static final int WORKERS = 4;

  /** As tsbs_load_influx has it. */
  static final int ROWS_AT_ONCE = 10_000;

  private static final int TELNET_POINTS_AT_ONCE = 500;

  /** As Prometheus has it. */
  private static final int SAMPLES_AT_ONCE = 2_000;

  private final List<String> only;

  /**
   * @param only cases to run; empty for all
   */
  public ReceiveBenchmark(List<String> only) {
    this.only = List.copyOf(only);
  }

  /**
   * What is sent.
   *
   * @param atOnce rows in a body of line protocol, else points
   * @param hosts of the receiver; the TSD gets fewer steps
   */
  private record Case(String name, Form form, int atOnce, Hosts hosts, int tsdSteps) {}

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    for (Case each : quick ? quickCases() : cases()) {
      if (only.isEmpty() || only.contains(each.name)) {
        measure(each, packhorse, report);
      }
    }
    if (quick) {
      report.note("--quick leaves out influx-1m.");
    }
    report.note(
        "From the first request of a server that has just started until all points are acknowledged"
            + " and readable; CPU of the servers in this time. packhorse: until the receiver has"
            + " ended after SIGTERM, which stores everything (what 30 s do not suffice for, job"
            + " resume stores), HBase's CPU included. tsd: until a last put with sync is stored, HBase's CPU included. questdb: until a query counts all"
            + " rows. peak_rss_mb is that of receiver, TSD or QuestDB.");
    report.note(
        "An answer of packhorse means on disk; QuestDB's and the TSD's mean taken. Line protocol"
            + " goes to packhorse and questdb in gzip, as tsbs_load_influx sends it, to"
            + " packhorse-plain and questdb-plain as it is. "
            + WORKERS
            + " connections. full_p50_ms and full_p99_ms are at full speed, ack_p50_ms and ack_p99_ms"
            + " at half of the speed, of another receiver that starts with no series; the first"
            + " fifth of its answers is not counted.");
  }

  private static List<Case> cases() {
    return List.of(
        influx("influx-100", 100, 20_000),
        influx("influx-4k", 4_000, 750),
        influx("influx-100k", 100_000, 20),
        influx("influx-1m", 1_000_000, 2),
        new Case("put-json-50", Form.JSON, 50, new Hosts(4_000, 50), 10),
        new Case("put-json-5000", Form.JSON, 5_000, new Hosts(4_000, 100), 10),
        new Case("telnet", Form.TELNET, TELNET_POINTS_AT_ONCE, new Hosts(4_000, 100), 10),
        remoteWrite(new Hosts(4_000, 100)));
  }

  private static List<Case> quickCases() {
    return List.of(
        influx("influx-100", 100, 5_000),
        influx("influx-4k", 4_000, 150),
        influx("influx-100k", 100_000, 4),
        new Case("put-json-50", Form.JSON, 50, new Hosts(4_000, 10), 2),
        new Case("put-json-5000", Form.JSON, 5_000, new Hosts(4_000, 20), 2),
        new Case("telnet", Form.TELNET, TELNET_POINTS_AT_ONCE, new Hosts(4_000, 20), 2),
        remoteWrite(new Hosts(4_000, 20)));
  }

  private static Case influx(String name, int hosts, int steps) {
    return new Case(name, Form.INFLUX, ROWS_AT_ONCE, new Hosts(hosts, steps), 0);
  }

  private static Case remoteWrite(Hosts hosts) {
    return new Case("remote-write", Form.REMOTE_WRITE, SAMPLES_AT_ONCE, hosts, 0);
  }

  private static void measure(Case what, PackhorseCommand packhorse, Report report)
      throws IOException, InterruptedException {
    switch (what.form) {
      case INFLUX -> measureInflux(what, packhorse, report);
      case REMOTE_WRITE -> measureRemoteWrite(what, packhorse, report);
      case JSON, TELNET -> measurePuts(what, packhorse, report);
    }
  }

  private static void measureInflux(Case what, PackhorseCommand packhorse, Report report)
      throws IOException, InterruptedException {
    Outcome ours;
    Outcome oursPlain;
    try (Store store = Store.start(packhorse, "--tsd-heap", "2048")) {
      PackhorseSystem receiver = new PackhorseSystem(packhorse, store);
      ours = receiver.run(bodies(what, "cpu1", true), WORKERS);
      ours.report(what.name, "packhorse", report);
      oursPlain = receiver.run(bodies(what, "cpu2", false), WORKERS);
      oursPlain.report(what.name, "packhorse-plain", report);
      long stored = ours.what().points() + oursPlain.what().points();
      stored += latencies(what, receiver, ours, report);
      store.stop();
      bytes(what, "packhorse", store.bytes("p"), stored, report);
    }
    measurePeer(what, ours, "questdb", report);
    measurePeer(what, oursPlain, "questdb-plain", report);
  }

  /** The points of a run in the same encoding. */
  private static void measurePeer(Case what, Outcome ours, String system, Report report)
      throws IOException, InterruptedException {
    boolean gzip = !ours.what().encoding().isEmpty();
    QuestDb.Result peer = QuestDb.run(bodies(what, "cpu3", gzip), WORKERS);
    peer.outcome().report(what.name, system, report);
    bytes(what, system, peer.bytes(), peer.outcome().what().points(), report);
    compare(what, ours, system, peer.outcome(), report);
  }

  private static void measurePuts(Case what, PackhorseCommand packhorse, Report report)
      throws IOException, InterruptedException {
    boolean gzip = what.form == Form.JSON;
    try (Store store = Store.start(packhorse, "--tsd-heap", "2048")) {
      Hosts fewer = new Hosts(what.hosts.hosts(), what.tsdSteps);
      Outcome peer =
          new TsdSystem(store)
              .run(fewer.bodies(what.form, "cpu1", what.atOnce, gzip), TsdSystem.last(), WORKERS);
      peer.report(what.name, "tsd", report);
      PackhorseSystem receiver = new PackhorseSystem(packhorse, store);
      Outcome ours = receiver.run(bodies(what, "cpu2", gzip), WORKERS);
      ours.report(what.name, "packhorse", report);
      long stored = ours.what().points() + latencies(what, receiver, ours, report);
      store.stop();
      bytes(what, "packhorse", store.bytes("p"), stored, report);
      bytes(what, "tsd", store.bytes("t"), peer.what().points(), report);
      compare(what, ours, "tsd", peer, report);
      report.note(
          String.format(
              "%s: %,d points through packhorse, %,d through the TSD.",
              what.name, ours.what().points(), peer.what().points()));
    }
  }

  private static void measureRemoteWrite(Case what, PackhorseCommand packhorse, Report report)
      throws IOException, InterruptedException {
    try (Store store = Store.start(packhorse, "--tsd-heap", "2048")) {
      PackhorseSystem receiver = new PackhorseSystem(packhorse, store);
      Outcome ours = receiver.run(bodies(what, "cpu1", false), WORKERS);
      ours.report(what.name, "packhorse", report);
      long stored = ours.what().points() + latencies(what, receiver, ours, report);
      store.stop();
      bytes(what, "packhorse", store.bytes("p"), stored, report);
    }
  }

  /** Measures answers at half of the speed; the points that were sent. */
  private static long latencies(Case what, PackhorseSystem receiver, Outcome full, Report report)
      throws IOException, InterruptedException {
    if (what.form == Form.TELNET) {
      return 0;
    }
    Bodies bodies = bodies(what, "cpu4", !full.what().encoding().isEmpty());
    Sender.Sent sent = receiver.atHalf(full, bodies, WORKERS);
    report.add(what.name, "packhorse", "ack_p50_ms", sent.millis(0.5), "ms");
    report.add(what.name, "packhorse", "ack_p99_ms", sent.millis(0.99), "ms");
    return bodies.points();
  }

  private static Bodies bodies(Case what, String name, boolean gzip) {
    return what.hosts.bodies(what.form, name, what.atOnce, gzip);
  }

  private static void bytes(Case what, String system, long bytes, long points, Report report) {
    report.add(what.name, system, "bytes_per_point", (double) bytes / points, "bytes");
  }

  /** Adds to a peer how often its speed and its yield of CPU ours are. */
  private static void compare(Case what, Outcome ours, String system, Outcome peer, Report report) {
    report.add(
        what.name,
        system,
        "packhorse_is",
        ours.valuesPerSecond() / peer.valuesPerSecond(),
        "times as fast");
    report.add(
        what.name,
        system,
        "packhorse_per_cpu",
        ours.valuesPerCpuSecond() / peer.valuesPerCpuSecond(),
        "times as many values a CPU second");
  }
}
