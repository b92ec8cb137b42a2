package io.packhorse.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Checks with a file, not with a claim, that {@code hflush} hands bytes to the operating system.
 *
 * <p>HBase's own check asks the stream what it can do; a stream may say yes and keep the tail.
 */
final class DurabilityProbe {
  private static final int PROBE_BYTES = 100;

  private DurabilityProbe() {}

  /**
   * @throws IOException if bytes stay behind after {@code hflush}
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
            "hflush keeps bytes back on " + dir + ": written=" + PROBE_BYTES + ", file=" + length);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
