package io.packhorse.loader.load;

import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.repack.LeftRows;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one part of a stage leaves as it is, in a file of the stage's folder. A part that is begun
 * again begins its file again. One thread.
 */
final class LeftRowsFile implements LeftRows, Closeable {
  private static final String PREFIX = "left-";

  private final Path file;
  private Optional<BufferedWriter> writer = Optional.empty();

  LeftRowsFile(Path stage, int part) throws IOException {
    file = stage.resolve(String.format(Locale.ROOT, PREFIX + "%05d.tsv", part));
    Files.deleteIfExists(file);
  }

  @Override
  public void take(BrokenColumn column) throws IOException {
    if (writer.isEmpty()) {
      writer = Optional.of(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
    }
    writer.get().write(column.line());
  }

  @Override
  public void close() throws IOException {
    if (writer.isPresent()) {
      writer.get().close();
    }
  }

  /**
   * Joins the files of stages.
   *
   * @param to replaced if it exists; not made if nothing was left
   * @return the first lines of it
   */
  static List<String> join(List<Path> stages, Path to, int first) throws IOException {
    Files.deleteIfExists(to);
    List<String> lines = new ArrayList<>();
    for (Path stage : stages) {
      for (Path part : files(stage)) {
        try (Stream<String> all = Files.lines(part)) {
          all.limit(first - lines.size()).forEach(lines::add);
        }
        Files.write(
            to, Files.readAllBytes(part), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
    return lines;
  }

  private static List<Path> files(Path stage) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(stage)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(stage, PREFIX + "*")) {
        found.forEach(files::add);
      }
    }
    files.sort(null);
    return files;
  }
}
