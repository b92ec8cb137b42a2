package io.packhorse.loader.cli;

import io.packhorse.loader.load.BuildVersion;
import io.packhorse.schema.packed.CellVersions;
import java.util.stream.Collectors;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      BuildVersion.text(),
      "packed cells: writes version %d, reads %s"
          .formatted(
              CellVersions.WRITTEN,
              CellVersions.read().stream().map(String::valueOf).collect(Collectors.joining(", ")))
    };
  }
}
