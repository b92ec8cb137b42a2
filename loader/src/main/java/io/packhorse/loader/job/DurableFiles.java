package io.packhorse.loader.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are on disk, not just written, when a method returns. */
final class DurableFiles {
  private DurableFiles() {}

  /** What a file is to hold. */
  interface Content {
    /** Writes it; the stream stays the caller's. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a file whole or not at all, in the place of an older one. */
  static void write(Path folder, String name, byte[] content) throws IOException {
    write(folder, name, out -> out.write(content));
  }

  /** Writes a file whole or not at all, in the place of an older one. */
  static void write(Path folder, String name, Content content) throws IOException {
    Path unfinished = folder.resolve(name + ".new");
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      content.writeTo(Channels.newOutputStream(channel));
      channel.force(true);
    }
    Files.move(
        unfinished,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    forceFolder(folder);
  }

  /** Forces what was written to a file to disk; does nothing if there is no such file. */
  static void force(Path file) throws IOException {
    if (Files.isRegularFile(file)) {
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

  /** Lines in the first bytes of a file, or -1 if it has fewer or the last line is cut there. */
  static long lines(Path file, long bytes) throws IOException {
    if (bytes == 0) {
      return 0;
    }
    if (!Files.exists(file)) {
      return -1;
    }
    long lines = 0;
    byte last = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (long left = bytes; left > 0; ) {
        int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (count < 0) {
          return -1;
        }
        for (int i = 0; i < count; i++) {
          lines += buffer[i] == '\n' ? 1 : 0;
        }
        left -= count;
        last = buffer[count - 1];
      }
    }
    return last == '\n' ? lines : -1;
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
