package io.packhorse.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Checks that {@code hflush} passes all bytes to the operating system, by writing a file. HBase's
 * own check only asks the stream whether it can. Any thread.
 */
final class DurabilityProbe {
  private static final int PROBE_BYTES = 100;

  private DurabilityProbe() {}

  /**
   * @throws IOException if the file is too short after {@code hflush}
   */
  static void check(Configuration conf, Path dir) throws IOException {
    Path file = dir.resolve("durability-probe");
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (FSDataOutputStream out = FileSystem.get(file.toUri(), conf).create(path, true)) {
      out.write(new byte[PROBE_BYTES]);
      out.hflush();
      long length = Files.size(file);
      if (length != PROBE_BYTES) {
        throw new IOException(
            "hflush does not write everything to disk in "
                + dir
                + ": written="
                + PROBE_BYTES
                + ", file="
                + length);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
