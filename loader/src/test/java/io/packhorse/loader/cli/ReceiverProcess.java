package io.packhorse.loader.cli;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commands in processes of their own, as users run them, over a store in a folder; jobs are beside
 * it.
 *
 * @param folder of the test; what the processes print is in it
 */
record ReceiverProcess(Path folder) {
  /** A port that is free now. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  Path store() {
    return folder.resolve("store");
  }

  Path jobs() {
    return folder.resolve("jobs");
  }

  Process start(String... arguments) throws IOException {
    Path lib = Path.of(System.getProperty("packhorse.lib", "")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-Dpackhorse.lib=" + lib,
            "-cp",
            lib.resolve("loader").resolve("*").toString(),
            Packhorse.class.getName()));
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("--dir", store().toString(), "--jobs-dir", jobs().toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private Path log() {
    return folder.resolve("receiver.log");
  }

  /** What all of them have printed. */
  String said() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return "no log: " + e;
    }
  }
}
