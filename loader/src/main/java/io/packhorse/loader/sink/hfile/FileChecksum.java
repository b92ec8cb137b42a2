package io.packhorse.loader.sink.hfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Computes the CRC32C of whole files, as eight hex digits. */
final class FileChecksum {
  private static final int CHUNK_BYTES = 1 << 18;

  private FileChecksum() {}

  static String of(FileSystem files, Path file) throws IOException {
    return copy(files, file, OutputStream.nullOutputStream());
  }

  /** Copies a file and returns the checksum of its bytes; does not close the output. */
  static String copy(FileSystem files, Path file, OutputStream to) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in = files.open(file)) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        crc.update(chunk, 0, read);
        to.write(chunk, 0, read);
      }
    }
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
