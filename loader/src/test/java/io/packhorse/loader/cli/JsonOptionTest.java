package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** One form for the results and errors of all commands, here without a store. */
final class JsonOptionTest {
  @TempDir private Path folder = Path.of("");

  /** Every command with {@code --json}, by its words. */
  static Stream<String> commands() {
    return withJson(Packhorse.commandLine());
  }

  private static Stream<String> withJson(CommandLine command) {
    Stream<String> here =
        command.getCommandSpec().findOption(JsonOption.NAME) == null
            ? Stream.of()
            : Stream.of(JsonOption.name(command.getCommandSpec()));
    return Stream.concat(
        here, command.getSubcommands().values().stream().flatMap(JsonOptionTest::withJson));
  }

  @Test
  void theCommandsAreFound() {
    assertEquals(23, commands().count(), commands().toList().toString());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aWrongOptionIsAnErrorInJson(String command) throws Exception {
    assertTrue(JsonEnvelope.run(ExitCode.USAGE, command, "--no-such-option").has("error"));
  }

  @Test
  void aRefusalIsAnErrorInJson() throws Exception {
    JsonEnvelope.run(ExitCode.USAGE, "load", "/nonexistent.txt");
    JsonEnvelope.run(ExitCode.USAGE, "estimate", "/nonexistent.txt");
    JsonEnvelope.run(ExitCode.USAGE, "cell dump", "xyz");
    JsonEnvelope.run(ExitCode.PREFLIGHT, "job show", "--dir", folder.toString(), "none");
    JsonEnvelope.run(ExitCode.PREFLIGHT, "job resume", "--dir", folder.toString(), "none");
  }

  @Test
  void aResultSaysHowTheCommandEnds() throws Exception {
    Path lines = folder.resolve("lines.txt");
    Files.writeString(lines, "m 1356998400 1 h=a\nm 1356998401 1 h=a\nm x 1 h=a\n");
    String[] nowhere = {
      "--sink", "null", "--rejects", folder.resolve("r.tsv").toString(), lines.toString()
    };
    JsonNode loaded = JsonEnvelope.run(ExitCode.REJECTS, "load", nowhere);
    assertEquals("rejects", loaded.get("status").asText());
    assertEquals(2, loaded.get("result").get("packed").asLong());
    assertEquals(1_356_998_400_000L, loaded.get("result").get("first_ms").asLong());
    assertEquals(1_356_998_401_000L, loaded.get("result").get("last_ms").asLong());
    JsonEnvelope.run(ExitCode.OK, "load", "--dry-run", lines.toString());
    JsonEnvelope.run(ExitCode.OK, "estimate", lines.toString());
    JsonEnvelope.run(ExitCode.OK, "cell dump", "--points", "C128103C1008AC03091E1CA835012003");
    JsonEnvelope.run(
        ExitCode.OK, "schema plan", "--series", "10", "--interval", "1s", "--retention", "1d");
    JsonEnvelope.run(ExitCode.OK, "job list", "--dir", folder.toString());
    JsonNode absent = JsonEnvelope.run(ExitCode.OK, "server status", "--dir", folder + "/none");
    assertFalse(absent.get("result").get("running").asBoolean());
  }
}
