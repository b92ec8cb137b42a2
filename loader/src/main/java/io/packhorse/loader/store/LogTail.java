package io.packhorse.loader.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds in the logs of a dead server why it ended. */
final class LogTail {
  private static final int BYTES_MAX = 64 << 10;
  private static final int LINE_MAX = 300;

  private LogTail() {}

  /**
   * The exception with which HBase aborted, else the last line with an error, from the first file
   * that has either; else the last line of all; else "no reason given". At most 300 characters.
   */
  static String lastLine(Path... files) throws IOException {
    String last = "no reason given";
    for (Path file : files) {
      List<String> lines = tail(file);
      for (int i = lines.size() - 2; i >= 0; i--) {
        if (lines.get(i).contains("ABORTING")) {
          return cut(lines.get(i + 1));
        }
      }
      for (int i = lines.size() - 1; i >= 0; i--) {
        if (lines.get(i).matches(".*(ERROR|FATAL|Error|Exception).*")) {
          return cut(lines.get(i));
        }
      }
      if (!lines.isEmpty()) {
        last = cut(lines.get(lines.size() - 1));
      }
    }
    return last;
  }

  private static String cut(String line) {
    String stripped = line.strip();
    return stripped.length() <= LINE_MAX ? stripped : stripped.substring(0, LINE_MAX);
  }

  private static List<String> tail(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return List.of();
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long from = Math.max(0, file.length() - BYTES_MAX);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.stripLeading().startsWith("at "))
          .toList();
    }
  }
}
