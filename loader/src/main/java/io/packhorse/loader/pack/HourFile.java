package io.packhorse.loader.pack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * A file of hours: of each the series number, the hour since 1970, the number of points and the
 * length of a packed cell, all as varints, then the cell. Hours come in the order of series and
 * time; one of more points than a cell holds comes several times.
 *
 * @param crc32c of all its bytes
 */
public record HourFile(Path path, int crc32c) {
  /** Whether its bytes are those written. */
  public boolean isIntact() throws IOException {
    CRC32C crc = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(path), crc)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {
        // The checksum is all that is wanted.
      }
    }
    return (int) crc.getValue() == crc32c;
  }
}
