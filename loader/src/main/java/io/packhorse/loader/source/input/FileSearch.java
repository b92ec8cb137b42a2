package io.packhorse.loader.source.input;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/**
 * Finds the files below a directory, through symbolic links, without hidden ones. A link that leads
 * back to a directory above it is passed over. Used once.
 */
final class FileSearch extends SimpleFileVisitor<Path> {
  private final Path start;
  private final PathMatcher wantedDirectories;
  private final PathMatcher wantedFiles;
  private final List<Path> found = new ArrayList<>();
  private final List<Path> loops = new ArrayList<>();

  /**
   * @param wantedDirectories those below the start that are searched
   */
  FileSearch(Path start, PathMatcher wantedDirectories, PathMatcher wantedFiles) {
    this.start = start;
    this.wantedDirectories = wantedDirectories;
    this.wantedFiles = wantedFiles;
  }

  /** The files, sorted by name. */
  List<Path> run() throws IOException {
    Files.walkFileTree(start, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, this);
    Collections.sort(found);
    return found;
  }

  /** Links that lead back to where they are. */
  List<Path> loops() {
    return loops;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    boolean entered =
        directory.equals(start) || (!isHidden(directory) && wantedDirectories.matches(directory));
    return entered ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isRegularFile() && !isHidden(file) && wantedFiles.matches(file)) {
      found.add(file);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (e instanceof FileSystemLoopException) {
      loops.add(file);
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }
}
