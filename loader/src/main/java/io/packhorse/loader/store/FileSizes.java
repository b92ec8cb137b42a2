package io.packhorse.loader.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Adds up file sizes in a directory that other processes may be changing. One thread. */
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
