package io.packhorse.loader.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The launcher's archive of loaded classes, which makes later commands start faster. */
final class ClassArchive {
  private ClassArchive() {}

  /** Tells the launcher to keep the classes of this JVM: it has done a whole load. */
  static void markComplete() {
    String mark = System.getProperty("packhorse.classes");
    if (mark != null) {
      try {
        Files.write(Path.of(mark), new byte[0]);
      } catch (IOException e) {
        // The next load writes the archive.
      }
    }
  }
}
