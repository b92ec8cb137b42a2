package io.packhorse.loader.pack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * A temporary file of hours. Each record is the series number, the hour since 1970, the number of
 * points and the length of a packed cell, all as varints, then the cell. Records are in the order
 * of series and time; an hour of more points than a cell can hold has several.
 *
 * @param crc32c of all its bytes
 */
public record HourFile(Path path, int crc32c) {
  /** Whether the file still has the checksum it was written with. */
  public boolean isIntact() throws IOException {
    CRC32C crc = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(path), crc)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {
        // Only the checksum matters.
      }
    }
    return (int) crc.getValue() == crc32c;
  }
}
