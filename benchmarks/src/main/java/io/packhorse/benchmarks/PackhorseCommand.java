package io.packhorse.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the command line as a user would, in processes of its own. */
public final class PackhorseCommand {
  private final Path launcher;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * @param launcher the script
   */
  PackhorseCommand(Path launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs a command with {@code --json} and returns the result that it prints. Its progress goes to
   * our own standard error.
   *
   * @throws IOException if it does not end with exit code 0
   */
  public JsonNode result(String... arguments) throws IOException, InterruptedException {
    return resultOr(0, arguments);
  }

  /**
   * As {@link #result}, for a command whose result counts with another exit code too.
   *
   * @param code the other one
   */
  public JsonNode resultOr(int code, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add("--json");
    return json.readTree(run(command, code)).required("result");
  }

  /** Runs a command for its effect; exit code as in {@link #result}. */
  public void run(String... arguments) throws IOException, InterruptedException {
    run(List.of(arguments), 0);
  }

  /** The words that run a command. */
  public List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(launcher.toString());
    command.addAll(arguments);
    return command;
  }

  private byte[] run(List<String> arguments, int other) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command(arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    byte[] output = process.getInputStream().readAllBytes();
    int code = process.waitFor();
    if (code != 0 && code != other) {
      throw new IOException(
          "exit code " + code + " from: packhorse " + String.join(" ", arguments));
    }
    return output;
  }
}
