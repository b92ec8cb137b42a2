package io.packhorse.loader.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far a load of HFiles is, by what lies in the folder that it writes to. */
final class HFileProgress {
  private static final String LIST = "files.tsv";

  private final Path folder;
  private final Set<Path> listsOfOthers;

  /**
   * @param folder with one of its own for each load; what lies there now is of others
   */
  HFileProgress(Path folder) {
    this.folder = folder;
    this.listsOfOthers = lists().collect(Collectors.toSet());
  }

  /** Bytes written and not handed over. */
  long bytes() {
    return bytes(folder.toFile());
  }

  private static long bytes(File file) {
    File[] inside = file.listFiles();
    return inside == null
        ? file.length()
        : Arrays.stream(inside).mapToLong(HFileProgress::bytes).sum();
  }

  /** Whether all are written, and listed. */
  boolean isWritten() {
    return list().isPresent();
  }

  /** Share of the files listed that HBase has taken. */
  double shareTaken() throws IOException {
    Optional<Path> list = list();
    if (list.isEmpty()) {
      return 0;
    }
    try {
      List<String> files =
          Files.readAllLines(list.get()).stream().filter(line -> !line.isEmpty()).toList();
      long there =
          files.stream()
              .map(line -> list.get().resolveSibling(line.substring(0, line.indexOf('\t'))))
              .filter(Files::exists)
              .count();
      return files.isEmpty() ? 0 : 1 - (double) there / files.size();
    } catch (NoSuchFileException renamedMeanwhile) {
      return 0;
    }
  }

  private Optional<Path> list() {
    return lists().filter(list -> !listsOfOthers.contains(list)).findFirst();
  }

  private Stream<Path> lists() {
    File[] loads = folder.toFile().listFiles();
    return loads == null
        ? Stream.empty()
        : Arrays.stream(loads).map(load -> load.toPath().resolve(LIST)).filter(Files::exists);
  }
}
