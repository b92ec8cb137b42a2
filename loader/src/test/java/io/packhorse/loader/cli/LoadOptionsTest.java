package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LoadOptionsTest {
  @Command
  private static final class Load {
    @Mixin private final LoadOptions options = new LoadOptions();
  }

  @Test
  void seriesAreMadeKnownUnlessToldOtherwise() {
    assertTrue(parsed().meta());
    assertTrue(parsed("--meta").meta());
    assertFalse(parsed("--no-meta").meta());
  }

  private static LoadOptions parsed(String... arguments) {
    return CommandLine.populateCommand(new Load(), arguments).options;
  }
}
