package io.packhorse.loader.cli;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.Console;
import picocli.CommandLine.Option;

/** Asks before something is deleted. */
final class YesOption {
  @Option(names = "--yes", description = "Delete without asking.")
  private boolean yes;

  /**
   * Asks on the terminal, unless the option answers.
   *
   * @param question that yes deletes something
   * @throws OperationException USAGE if the answer is not yes, or there is no terminal to ask on
   */
  @SuppressWarnings("SystemConsoleNull")
  void confirm(String question) {
    if (yes) {
      return;
    }
    Console console = System.console();
    if (console == null) {
      throw new OperationException(
          Kind.USAGE,
          "Nothing was deleted: there is no terminal to ask on; add --yes to delete without a"
              + " question.");
    }
    if (!"yes".equals(console.readLine("%s yes or no: ", question))) {
      throw new OperationException(Kind.USAGE, "Nothing was deleted.");
    }
  }
}
