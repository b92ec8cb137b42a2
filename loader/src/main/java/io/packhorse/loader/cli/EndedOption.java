package io.packhorse.loader.cli;

import java.util.Set;
import picocli.CommandLine.Option;

/** {@code --ended}. */
final class EndedOption {
  @Option(
      names = "--ended",
      paramLabel = "LOADER",
      description =
          "Id of a loader whose process has died and whose job will not be resumed, as summary show"
              + " lists it; may be repeated.")
  private Set<Integer> loaders = Set.of();

  /** Ids of these loaders. */
  Set<Integer> loaders() {
    return loaders;
  }
}
