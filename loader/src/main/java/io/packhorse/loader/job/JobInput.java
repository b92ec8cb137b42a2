package io.packhorse.loader.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An input file as it was when a job began.
 *
 * @param name as the user wrote it, for messages
 * @param path absolute
 * @param bytes its size
 * @param sha256 of its size and content; of a file above 4 MiB, of 64 pieces of 64 KiB spread
 *     evenly from its first to its last byte
 */
public record JobInput(String name, String path, long bytes, String sha256) {
  private static final int PIECE_BYTES = 1 << 16;
  private static final int PIECES = 64;

  /** Reads size and content of a file. */
  public static JobInput of(String name, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      MessageDigest digest = newDigest();
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, size));
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      boolean whole = size <= (long) PIECES * PIECE_BYTES;
      for (int i = 0; i < PIECES; i++) {
        long from = whole ? (long) i * PIECE_BYTES : (size - PIECE_BYTES) * i / (PIECES - 1);
        piece.clear();
        while (piece.hasRemaining() && channel.read(piece, from + piece.position()) > 0) {
          // Until the piece is full or the file ends.
        }
        digest.update(piece.flip());
      }
      return new JobInput(
          name,
          file.toAbsolutePath().normalize().toString(),
          size,
          HexFormat.of().formatHex(digest.digest()));
    }
  }

  /** Whether this is the same content, whatever its name. */
  public boolean sameContent(JobInput other) {
    return bytes == other.bytes && sha256.equals(other.sha256);
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
