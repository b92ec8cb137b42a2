package io.packhorse.loader.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the state of the embedded store. */
final class ServerStatusPrinter {
  private ServerStatusPrinter() {}

  /** Prints the state. */
  static void print(ServerStatus status, PrintWriter out) {
    Map<String, String> versions = status.versions();
    out.printf(
        "Store      %s (%s)%n",
        status.dir(),
        status.running() ? "running" : status.exists() ? "stopped" : "does not exist yet");
    for (ServerStatus.Tsd tsd : status.tsds()) {
      out.printf(
          "OpenTSDB   %s   %s %s, process %d%n",
          tsd.url(), versions.get("opentsdb"), tsd.kind(), tsd.pid());
    }
    if (!status.running() && !status.tsds().isEmpty()) {
      out.println(
          "           HBase is gone: server start brings both back, server stop ends these");
    }
    if (status.running() && status.tsds().isEmpty()) {
      out.println("OpenTSDB   does not run: server start brings it back");
    }
    if (status.running()) {
      out.printf(
          "HBase      ZooKeeper %s   %s, process %d%n",
          status.zookeeper(), versions.get("hbase"), status.hbasePid());
      out.printf(
          "Tables     %s%n",
          status.tables().entrySet().stream()
              .map(table -> table.getKey() + " " + table.getValue())
              .collect(Collectors.joining(", ", "", " (regions)")));
    }
    if (status.exists()) {
      out.printf(
          "On disk    %s, %s free%n", megabytes(status.bytes()), megabytes(status.freeBytes()));
      out.printf("Logs       %s%n", status.log());
    }
    out.printf("Packhorse  %s (%s)%n", versions.get("packhorse"), versions.get("commit"));
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
  }
}
