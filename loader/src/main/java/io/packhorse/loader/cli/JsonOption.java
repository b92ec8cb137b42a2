package io.packhorse.loader.cli;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Results as text for people or as one JSON object for programs (docs/operations.md). */
final class JsonOption {
  static final String NAME = "--json";

  /** Raised when a field changes its meaning or goes away. */
  private static final int VERSION = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .build();

  @Option(names = NAME, description = "Print the result, or the error, as one JSON object.")
  private boolean json;

  /**
   * Prints a result.
   *
   * @param command whose result it is
   * @param ended how the command ends
   * @param settings what was asked for
   * @param result what came out; its keys are in snake case
   * @param text prints the same for people
   */
  void print(
      CommandSpec command,
      ExitCode ended,
      Map<String, Object> settings,
      Object result,
      Runnable text)
      throws IOException {
    if (!json) {
      text.run();
      return;
    }
    Map<String, Object> object = begin(name(command), ended);
    object.put("settings", settings);
    object.put("result", result);
    command.commandLine().getOut().println(MAPPER.writeValueAsString(object));
  }

  /** Prints an error as JSON; the sentence for people is on standard error. */
  static void printError(PrintWriter out, String command, ExitCode ended, String sentence) {
    Map<String, Object> object = begin(command, ended);
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("kind", ended.toString());
    error.put("message", sentence);
    object.put("error", error);
    try {
      out.println(MAPPER.writeValueAsString(object));
    } catch (IOException e) {
      throw new IllegalStateException("strings and numbers can be written as JSON", e);
    }
  }

  /** Whether results are wanted as JSON. */
  boolean isAsked() {
    return json;
  }

  /** Whether errors of a command line are wanted as JSON. */
  static boolean isAsked(List<String> arguments) {
    return arguments.contains(NAME);
  }

  /** {@code job list}. */
  static String name(CommandSpec command) {
    return command.qualifiedName().replaceFirst("^packhorse ?", "");
  }

  private static Map<String, Object> begin(String command, ExitCode ended) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("v", VERSION);
    object.put("command", command);
    object.put("status", ended.toString());
    object.put("exit", ended.code());
    return object;
  }
}
