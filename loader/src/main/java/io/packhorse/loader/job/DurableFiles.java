package io.packhorse.loader.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are on disk, not just written, when a method returns. */
final class DurableFiles {
  private DurableFiles() {}

  /** Writes a file whole or not at all, in the place of an older one. */
  static void write(Path folder, String name, byte[] content) throws IOException {
    Path unfinished = folder.resolve(name + ".new");
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(
        unfinished,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    forceFolder(folder);
  }

  /** Brings what was written to a file to disk; a file that is not there has nothing to bring. */
  static void force(Path file) throws IOException {
    if (Files.exists(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }

  /** Brings the names in a folder to disk. */
  static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Cuts a file to its first bytes; a file that is not there has none. */
  static void cut(Path file, long bytes) throws IOException {
    if (Files.exists(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        if (channel.size() < bytes) {
          throw new IOException(
              file + " is shorter than its checkpoint says: " + channel.size() + " < " + bytes);
        }
        channel.truncate(bytes);
      }
    } else if (bytes > 0) {
      throw new IOException(file + " is missing");
    }
  }
}
