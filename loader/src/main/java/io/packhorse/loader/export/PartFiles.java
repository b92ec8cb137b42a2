package io.packhorse.loader.export;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDate;
import java.util.Locale;

/** Names the files of one part; a file that has its name is complete. One thread. */
final class PartFiles {
  private final Path directory;
  private final String name;
  private final String suffix;
  private Path folder;
  private int files;

  /**
   * @param directory of the export
   * @param part number from 0
   * @param suffix of the names, without a dot
   */
  PartFiles(Path directory, int part, String suffix) {
    this.directory = directory;
    this.folder = directory;
    this.name = String.format(Locale.ROOT, "part-%05d", part);
    this.suffix = suffix;
  }

  /**
   * The next files are in the folder of a metric and a day, as Hive names them. Characters that a
   * path or a URL cannot have are percent-encoded.
   *
   * @param day days since 1970, UTC
   */
  void enter(String metric, long day) throws IOException {
    String encoded = URLEncoder.encode(metric, StandardCharsets.UTF_8).replace("+", "%20");
    folder = directory.resolve("metric=" + encoded).resolve("day=" + LocalDate.ofEpochDay(day));
    Files.createDirectories(folder);
  }

  /** Whether the next file is in the folder of its metric and day. */
  boolean areInFolders() {
    return !folder.equals(directory);
  }

  /** {@code part-00003.txt}; the part's next file is {@code part-00003-1.txt}. */
  Path next() {
    String more = files == 0 ? "" : "-" + files;
    files++;
    return folder.resolve(name + more + "." + suffix);
  }

  /** The file while it is written. */
  static Path partial(Path complete) {
    return complete.resolveSibling(complete.getFileName() + ".partial");
  }

  /** Why a file could not be written; messages of the file system often lack its name. */
  static IOException failed(Path complete, IOException cause) {
    IOException failed =
        new IOException("cannot write " + partial(complete) + ": " + cause.getMessage());
    failed.addSuppressed(cause);
    return failed;
  }

  /** Brings a file to disk, and then gives it its name. */
  static void complete(Path file) throws IOException {
    Path partial = partial(file);
    try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes what an earlier try has left of the part, while others write and rename theirs. */
  void deleteAll() throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (isOfPart(file)) {
              Files.delete(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  private boolean isOfPart(Path file) {
    String of = String.valueOf(file.getFileName());
    return of.startsWith(name + ".") || of.startsWith(name + "-");
  }
}
