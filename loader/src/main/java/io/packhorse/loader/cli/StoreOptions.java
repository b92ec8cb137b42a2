package io.packhorse.loader.cli;

import io.packhorse.loader.load.EmbeddedStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which embedded store a command works on; shared by every command that may use one. */
final class StoreOptions {
  /** System property with the folder of the launcher; set by it. */
  private static final String HOME_PROPERTY = "packhorse.home";

  @Option(
      names = "--dir",
      paramLabel = "D",
      description = {
        "Directory of the embedded store.",
        "Default: $PACKHORSE_DIR, or data/packhorse beside the packhorse script."
      })
  private @Nullable Path dir;

  /** The store in the directory given, or in the default one. */
  EmbeddedStore store() {
    return new EmbeddedStore(path().toAbsolutePath().normalize());
  }

  private Path path() {
    if (dir != null) {
      return dir;
    }
    String fromEnvironment = System.getenv("PACKHORSE_DIR");
    return fromEnvironment != null && !fromEnvironment.isEmpty()
        ? Path.of(fromEnvironment)
        : Path.of(System.getProperty(HOME_PROPERTY, ""), "data", "packhorse");
  }

  /** The option as it was given, after a space; empty if it was not. */
  String asOptions() {
    return dir == null ? "" : " --dir " + dir;
  }
}
