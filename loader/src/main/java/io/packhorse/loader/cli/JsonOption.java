package io.packhorse.loader.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Results as text for people or as one JSON object for programs. */
final class JsonOption {
  /** Raised when a field changes its meaning or goes away. */
  private static final int VERSION = 1;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  /**
   * Prints a result.
   *
   * @param command its name, for the reader of the JSON
   * @param settings what was asked for
   * @param result what came out
   * @param text prints the same for people
   */
  void print(
      PrintWriter out,
      String command,
      Map<String, Object> settings,
      Map<String, Object> result,
      Runnable text)
      throws IOException {
    if (!json) {
      text.run();
      return;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("v", VERSION);
    object.put("command", command);
    object.put("settings", settings);
    object.put("result", result);
    out.println(new ObjectMapper().writeValueAsString(object));
  }
}
