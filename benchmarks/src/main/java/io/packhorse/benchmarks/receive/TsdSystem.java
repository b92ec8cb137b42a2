package io.packhorse.benchmarks.receive;

import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/** The patched TSD's own puts, into the same HBase. */
record TsdSystem(Store store) {
  /**
   * Sends to the TSD; the clock runs until a last point, sent behind all others, is stored. All are
   * counted then.
   *
   * @param last a point in JSON
   */
  Outcome run(Bodies what, Bodies last, int workers) throws IOException, InterruptedException {
    URI url = URI.create(store.tsd());
    InetSocketAddress address = new InetSocketAddress(url.getHost(), url.getPort());
    long pid = store.status().get("tsds").get(0).get("pid").asLong();
    double cpu = store.cpuSeconds() + Stopwatch.cpuSeconds(pid);
    Stopwatch watch = new Stopwatch();
    Sender.Sent sent = new Sender(address, "/api/put", workers).send(what, 0);
    new Sender(address, "/api/put?sync", 1).send(last, 0);
    double seconds = watch.seconds();
    double used = store.cpuSeconds() + Stopwatch.cpuSeconds(pid) - cpu;
    TsdAnswers.check(store.tsd(), what);
    return new Outcome(
        what, sent, seconds, used, watch.clientCpuSeconds(), MeasuredProcess.peakOf(pid));
  }

  /** Points that are sent last. */
  static Bodies last() {
    return new Hosts(1, 1).bodies(Form.JSON, "cpu9", Hosts.FIELDS, false);
  }
}
