package io.packhorse.loader.store;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ports and processes of the servers started last in a store directory. The next start uses the
 * same ports; the processes may have ended. Immutable; {@link #with} makes a changed copy.
 */
final class ServerState {
  static final String ZOOKEEPER = "zookeeper";
  static final String MASTER = "master";
  static final String REGION_SERVER = "regionserver";
  static final String HBASE = "hbase";

  private static final String PORT = ".port";

  private final Map<String, String> entries;

  private ServerState(Map<String, String> entries) {
    this.entries = entries;
  }

  /** Reads a state; empty if the file does not exist. */
  static ServerState read(Path file) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    if (Files.exists(file)) {
      Properties properties = new Properties();
      properties.load(new StringReader(Files.readString(file)));
      properties.stringPropertyNames().forEach(k -> entries.put(k, properties.getProperty(k)));
    }
    return new ServerState(entries);
  }

  /** Replaces the file in one step. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder("# Packhorse embedded store: last started servers\n");
    entries.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Port that a server used last. */
  OptionalInt port(String name) {
    String value = entries.get(name + PORT);
    return value == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value));
  }

  /** Ports of all servers. */
  Set<Integer> ports() {
    return entries.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(PORT))
        .map(entry -> Integer.valueOf(entry.getValue()))
        .collect(Collectors.toSet());
  }

  ServerState with(String name, int port) {
    return with(name + PORT, Integer.toString(port));
  }

  /** Process of a server started last; if none was, one that is not alive. */
  ServerProcess process(String name) {
    return new ServerProcess(
        Long.parseLong(entries.getOrDefault(name + ".pid", "0")),
        Long.parseLong(entries.getOrDefault(name + ".started", "0")));
  }

  ServerState with(String name, ServerProcess process) {
    return with(name + ".pid", Long.toString(process.pid()))
        .with(name + ".started", Long.toString(process.startedMs()));
  }

  /** A copy in which the other state's entries replace those of the same names. */
  ServerState with(ServerState other) {
    Map<String, String> next = new TreeMap<>(entries);
    next.putAll(other.entries);
    return new ServerState(next);
  }

  private ServerState with(String key, String value) {
    Map<String, String> next = new TreeMap<>(entries);
    next.put(key, value);
    return new ServerState(next);
  }
}
