package io.packhorse.loader.source.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file or a pipe.
 *
 * @param name for messages and rejects
 * @param size bytes of a plain file on disk, or -1 if unknown: such an input can be opened once
 */
public record Input(String name, long size, Opener opener) {
  /** Opens an input when its turn comes. */
  public interface Opener {
    InputStream open() throws IOException;

    /** The file, for random access; empty for a pipe. */
    default Optional<Path> file() {
      return Optional.empty();
    }

    /** Counts bytes read of {@link #file}. */
    default void read(long bytes) {}
  }

  /** An input of unknown length. */
  public Input(String name, Opener opener) {
    this(name, -1, opener);
  }

  /**
   * A file that exists.
   *
   * @throws IOException if its size cannot be read
   */
  public static Input ofFile(String name, Path file) throws IOException {
    long size = Files.isRegularFile(file) ? Files.size(file) : -1;
    return new Input(
        name,
        size,
        new Opener() {
          @Override
          public InputStream open() throws IOException {
            return Files.newInputStream(file);
          }

          @Override
          public Optional<Path> file() {
            return Optional.of(file);
          }
        });
  }

  /** Whether it can be opened more than once. */
  public boolean isPlainFile() {
    return size >= 0;
  }
}
