package io.packhorse.loader.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Adds up the sizes of files in a directory that others are changing. */
final class FileSizes extends SimpleFileVisitor<Path> {
  private long bytes;

  long bytes() {
    return bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.size();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException vanished) {
    return FileVisitResult.CONTINUE;
  }
}
