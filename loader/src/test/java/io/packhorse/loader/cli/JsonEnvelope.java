package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Runs commands with {@code --json} and holds what they print to the form that all share. */
final class JsonEnvelope {
  /** Fields whose keys are reasons, encodings or names of tables. */
  private static final Set<String> MAPS =
      Set.of("rejected_by_reason", "packed_times", "packed_values", "tables");

  private JsonEnvelope() {}

  /**
   * Runs a command.
   *
   * @param name its words, separated by blanks
   * @return what it has printed, checked
   */
  static JsonNode run(ExitCode ended, String name, String... options) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] arguments =
        Stream.of(Arrays.stream(name.split(" ")), Stream.of("--json"), Arrays.stream(options))
            .flatMap(each -> each)
            .toArray(String[]::new);
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    String told = name + ": " + out + err;
    assertEquals(ended.code(), code, told);
    assertEquals(1, out.toString().lines().count(), told);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertEquals(1, json.path("v").asInt(), told);
    assertEquals(name, json.path("command").asText(), told);
    assertEquals(ended.toString(), json.path("status").asText(), told);
    assertEquals(ended.code(), json.path("exit").asInt(), told);
    if (json.has("error")) {
      assertEquals(5, json.size(), told);
      assertEquals(ended.toString(), json.get("error").path("kind").asText(), told);
      String message = json.get("error").path("message").asText();
      assertTrue(!message.isBlank() && err.toString().contains(message), told);
    } else {
      assertEquals(6, json.size(), told);
      assertTrue(json.path("settings").isObject() && json.path("result").isObject(), told);
    }
    assertSnakeCase(json, told);
    return json;
  }

  private static void assertSnakeCase(JsonNode json, String told) {
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      assertTrue(field.getKey().matches("[a-z][a-z0-9_]*"), field.getKey() + " in " + told);
      if (!MAPS.contains(field.getKey())) {
        assertSnakeCase(field.getValue(), told);
      }
    }
    if (json.isArray()) {
      json.forEach(each -> assertSnakeCase(each, told));
    }
  }
}
