package io.packhorse.embedded;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Command line of the HBase process.
 *
 * @param dir the store directory, absolute
 * @param zookeeperPort loopback port of ZooKeeper
 * @param masterPort loopback port of the master; the same in each run, so that a master recognizes
 *     the ZooKeeper entry of a killed predecessor as its own
 * @param regionServerPort loopback port of the region server
 * @param parent id of a process at whose end the server stops
 */
record EmbeddedOptions(
    Path dir, int zookeeperPort, int masterPort, int regionServerPort, OptionalLong parent) {

  /**
   * Parses {@code --dir D --zookeeper-port N --master-port N --region-server-port N [--parent
   * PID]}.
   *
   * @throws IllegalArgumentException if an argument is missing, unknown or not a number
   */
  static EmbeddedOptions parse(String... args) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " needs a value");
      }
      given.put(args[i], args[i + 1]);
    }
    String parent = given.remove("--parent");
    EmbeddedOptions options =
        new EmbeddedOptions(
            Path.of(take(given, "--dir")).toAbsolutePath().normalize(),
            port(given, "--zookeeper-port"),
            port(given, "--master-port"),
            port(given, "--region-server-port"),
            parent == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parent)));
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown arguments: " + given.keySet());
    }
    return options;
  }

  /** Lines of a properties file that name a process and its ports, as the loader reads them. */
  String describe(ProcessHandle process) {
    long startedMs = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return """
        hbase.pid=%d
        hbase.started=%d
        master.port=%d
        regionserver.port=%d
        zookeeper.port=%d
        """
        .formatted(process.pid(), startedMs, masterPort, regionServerPort, zookeeperPort);
  }

  private static String take(Map<String, String> given, String name) {
    String value = given.remove(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static int port(Map<String, String> given, String name) {
    String text = take(given, name);
    int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(name + " must be a port, 1 to 65535: " + text);
    }
    return port;
  }
}
