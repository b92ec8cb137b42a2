package io.packhorse.loader.load;

import io.packhorse.loader.source.input.Input;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * A file that another process reads whole. Immutable.
 *
 * @param number among the inputs of the load, from 0
 * @param name for messages and rejects
 * @param path absolute; the file is the same for every process
 * @param bytes its size
 */
public record SpreadInput(int number, String name, String path, long bytes)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * Opens it here.
   *
   * @throws IOException if this process does not see the file, or another one of that name
   */
  public Input open() throws IOException {
    Input input = Input.ofFile(name, Path.of(path));
    if (input.size() != bytes) {
      throw new IOException(
          path
              + " has "
              + input.size()
              + " bytes here and "
              + bytes
              + " where the load began: every process must see the same files");
    }
    return input;
  }
}
