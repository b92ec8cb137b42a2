package io.packhorse.loader.cli;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", store().toString(), "--jobs-dir", jobs().toString()));
    return CommandProcess.of(all, "-Xmx512m")
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
