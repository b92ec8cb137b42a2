package io.packhorse.loader.pack;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Names temporary files for open hours of loads without a job. They lie in a folder below the JVM's
 * temporary one, which is made when the first is needed. Any number of threads.
 */
public final class ScratchHours implements Closeable {
  private @Nullable Path folder;
  private int count;

  /** A file that does not exist yet. */
  public synchronized Path next() throws IOException {
    Path in = folder;
    if (in == null) {
      in = Files.createTempDirectory("packhorse-hours-");
      folder = in;
    }
    return in.resolve("hours-" + ++count);
  }

  /** Removes the folder and its files. */
  @Override
  public synchronized void close() throws IOException {
    Path made = folder;
    folder = null;
    if (made != null) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(made)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(made);
    }
  }
}
