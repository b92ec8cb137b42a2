package io.packhorse.loader.pack;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Files for open hours that nobody wants once the packers are done: in a folder of its own below
 * the JVM's temporary one, made with the first of them. Any number of threads.
 */
public final class ScratchHours implements Closeable {
  private @Nullable Path folder;
  private int given;

  /** A file that does not exist yet. */
  public synchronized Path next() throws IOException {
    Path in = folder;
    if (in == null) {
      in = Files.createTempDirectory("packhorse-hours-");
      folder = in;
    }
    return in.resolve("hours-" + ++given);
  }

  /** Removes what is left. */
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
