package io.packhorse.cluster.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks the JVM itself whether it knows the flags of a daemon. */
final class JvmFlags {
  private static final int SECONDS_MAX = 60;

  private JvmFlags() {}

  /** What this JVM says to the flags in a file, without their heap and their log files. */
  static Optional<String> problem(Path file) throws IOException {
    Path scratch = Files.createTempDirectory("packhorse-flags");
    Path flags = scratch.resolve("flags");
    Path answer = scratch.resolve("answer");
    try {
      Files.writeString(
          flags,
          Files.readString(file)
              .replaceAll("file=[^:\\s]*/", "file=" + scratch + "/")
              .replaceAll("(?m)^-Xm[sx].*$", ""));
      Process java =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "@" + flags,
                  "-Xmx64m",
                  "-version")
              .redirectErrorStream(true)
              .redirectOutput(answer.toFile())
              .start();
      if (!java.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        java.destroyForcibly();
        return Optional.of(file.getFileName() + ": the JVM did not end");
      }
      String said = Files.readString(answer, StandardCharsets.UTF_8);
      return java.exitValue() == 0 && !said.contains("warning")
          ? Optional.empty()
          : Optional.of(file.getFileName() + ": " + said.lines().findFirst().orElse("no reason"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(file.getFileName() + ": interrupted");
    } finally {
      try (var files = Files.list(scratch)) {
        for (Path left : files.toList()) {
          Files.delete(left);
        }
      }
      Files.delete(scratch);
    }
  }
}
