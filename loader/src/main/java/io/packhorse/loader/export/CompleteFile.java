package io.packhorse.loader.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Names of files of parts; a file that has its name is complete. Any thread. */
final class CompleteFile {
  private CompleteFile() {}

  /** {@code part-00003.txt}; of a part with several files the next is {@code part-00003-1.txt}. */
  static Path of(Path directory, int part, int number, String suffix) {
    String more = number == 0 ? "" : "-" + number;
    return directory.resolve(String.format(Locale.ROOT, "part-%05d%s.%s", part, more, suffix));
  }

  /** The file while it is written. */
  static Path partial(Path complete) {
    return complete.resolveSibling(complete.getFileName() + ".partial");
  }

  /** Brings a file to disk, and then gives it its name. */
  static void of(Path partial, Path complete) throws IOException {
    try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(partial, complete, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes what an earlier try has left of a part. */
  static void deleteAll(Path directory, int part) throws IOException {
    String glob = String.format(Locale.ROOT, "part-%05d{.,-}*", part);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}
