package io.packhorse.cluster.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts a JVM with the flags of a daemon to check them. */
final class JvmFlags {
  private static final int SECONDS_MAX = 60;

  private JvmFlags() {}

  /** The JVM's error or warning about the flags in a file; heap size and log files are replaced. */
  static Optional<String> problem(Path file) throws IOException {
    Path scratch = Files.createTempDirectory("packhorse-flags");
    Path flags = scratch.resolve("flags");
    Path outputFile = scratch.resolve("output");
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
              .redirectOutput(outputFile.toFile())
              .start();
      if (!java.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        java.destroyForcibly();
        return Optional.of(
            file.getFileName()
                + ": a JVM with these flags did not exit within "
                + SECONDS_MAX
                + " s");
      }
      String output = Files.readString(outputFile, StandardCharsets.UTF_8);
      return java.exitValue() == 0 && !output.contains("warning")
          ? Optional.empty()
          : Optional.of(
              file.getFileName()
                  + ": "
                  + output.lines().findFirst().orElse("the JVM failed without a message"));
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
