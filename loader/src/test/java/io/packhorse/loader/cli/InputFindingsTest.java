package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was understood of the inputs, in results for programs. */
final class InputFindingsTest {
  @TempDir private Path folder = Path.of("");

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(folder.resolve(name).getParent());
    return Files.writeString(file, text);
  }

  private static JsonNode result(String command, String... options) throws Exception {
    return JsonEnvelope.run(ExitCode.OK, command, options).get("result");
  }

  /**
   * Runs a command.
   *
   * @param words its name and options
   */
  private static JsonNode resultOf(String words, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(words.split(" ", -1)));
    all.addAll(List.of(options));
    return result(all.get(0), all.subList(1, all.size()).toArray(String[]::new));
  }

  /** {@code name role why} of each column. */
  private static List<String> columns(JsonNode input) {
    List<String> columns = new ArrayList<>();
    for (JsonNode column : input.path("columns")) {
      columns.add(
          Stream.of("number", "name", "role", "as", "why")
              .filter(column::has)
              .map(field -> column.get(field).asText())
              .reduce((before, next) -> before + "|" + next)
              .orElseThrow());
    }
    return columns;
  }

  @ParameterizedTest
  @ValueSource(strings = {"load --sink null", "load --dry-run", "estimate"})
  void listsEachColumnWithItsRoleAndWhy(String command) throws Exception {
    Path table =
        write(
            "plant.csv",
            """
            ,time,Temp (C),load,late,site,written,note
            0,2024-01-31 10:00,1.5,7,,oslo,2024-02-01 08:00,a
            1,2024-01-31 11:00,1.6,8,,oslo,2024-02-01 08:01,b
            """);
    JsonNode inputs =
        resultOf(command, "--ignore", "note", "--tag", "load", table.toString()).get("inputs");
    assertEquals(1, inputs.size(), inputs.toString());
    assertEquals(table.toString(), inputs.get(0).get("input").asText());
    assertTrue(inputs.get(0).get("read_as").asText().startsWith("table separated by ','; time"));
    assertEquals(
        List.of(
            "1||ignore|no name",
            "2|time|time|holds times",
            "3|Temp (C)|value|Temp_C|holds numbers",
            "4|load|tag|stated",
            "5|late|value|empty so far",
            "6|site|tag|holds text",
            "7|written|ignore|another time",
            "8|note|ignore|as stated"),
        columns(inputs.get(0)));
    assertEquals(
        "[\"column 1\",\"written\",\"note\"]", inputs.get(0).get("columns_left_out").toString());
  }

  @Test
  void listsTheColumnsOfAMapping() throws Exception {
    Path table = write("t.csv", "time,v,host,more\n1700000000,1,a,x\n");
    Path mapping = folder.resolve("m.json");
    result(
        "load",
        "--dry-run",
        "--ignore",
        "more",
        "--save-mapping",
        mapping.toString(),
        table.toString());
    JsonNode input =
        result("load", "--dry-run", "--mapping", mapping.toString(), table.toString())
            .get("inputs")
            .get(0);
    assertTrue(columns(input).contains("3|host|tag|host|by the mapping"), input.toString());
    assertEquals("[\"more\"]", input.get("columns_left_out").toString());
  }

  @Test
  void aMappingFileMayNameSomeColumnsOnly() throws Exception {
    Path table =
        write(
            "t.csv", "when;Temp (C);run;host\n31.1.2024 10:00;1,5;7;a\n31.1.2024 11:00;2,5;8;a\n");
    Path part =
        write(
            "part.json",
            """
            {"time": {"zone": "Europe/Oslo"},
             "columns": [{"name": "Temp (C)", "role": "value", "as": "plant.temp"},
                         {"name": "run", "role": "tag"}]}
            """);
    JsonNode result = result("load", "--dry-run", "--mapping", part.toString(), table.toString());
    assertEquals(
        List.of(
            "1|when|time|holds times",
            "2|Temp (C)|value|plant.temp|stated",
            "3|run|tag|stated",
            "4|host|tag|holds text"),
        columns(result.get("inputs").get(0)));
    assertEquals(
        "[\"plant.temp{host=a,run=7}\",\"plant.temp{host=a,run=8}\"]",
        result.get("first_series").toString());
    assertEquals(
        "2024-01-31T09:00:00Z", Instant.ofEpochMilli(result.get("first_ms").asLong()).toString());
    Path wrong = write("wrong.json", "{\"columns\": [{\"name\": \"x\", \"role\": \"tag\"}]}");
    JsonEnvelope.run(
        ExitCode.USAGE, "load", "--dry-run", "--mapping", wrong.toString(), table.toString());
  }

  @Test
  void aGuessThatAsksIsSavedToBeChanged() throws Exception {
    StringBuilder rows = new StringBuilder("time,probe,v\n");
    for (int i = 0; i < 300; i++) {
      rows.append(1_700_000_000 + i / 3 * 60).append(',').append(i % 3).append(',').append(i);
      rows.append('\n');
    }
    Path table = write("ids.csv", rows.toString());
    Path saved = folder.resolve("saved.json");
    JsonNode asked =
        JsonEnvelope.run(
            ExitCode.USAGE,
            "load",
            "--dry-run",
            "--add-tag",
            "site=a",
            "--save-mapping",
            saved.toString(),
            table.toString());
    String question = asked.get("error").get("message").asText();
    assertTrue(question.contains("'probe' may be what tells them apart"), question);
    ObjectNode mapping = (ObjectNode) new ObjectMapper().readTree(saved.toFile());
    ObjectNode sensor = (ObjectNode) mapping.get("columns").get(1);
    assertEquals("probe", sensor.get("name").asText());
    sensor.put("role", "tag").put("as", "sensor");
    new ObjectMapper().writeValue(saved.toFile(), mapping);
    JsonNode result = result("load", "--dry-run", "--mapping", saved.toString(), table.toString());
    assertEquals(300, result.get("points").asLong());
    assertEquals(3, result.get("series_at_least").asLong());
  }

  @Test
  void linesHaveNoColumns() throws Exception {
    Path lines = write("l.txt", "m 1700000000 1 host=a\n");
    JsonNode input = result("load", "--dry-run", lines.toString()).get("inputs").get(0);
    assertTrue(input.get("read_as").asText().startsWith("OpenTSDB import lines"));
    assertFalse(input.has("columns"), input.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"load --sink null", "load --dry-run", "estimate"})
  void holdsWhatWasSaidOfTheInputs(String command) throws Exception {
    write("d/a.csv", "time,v\n1700000000,1\n1700000060,2\n");
    write("d/b.csv", "time,v\n1700000000,1\n1700000060,2\n");
    write("d/README.md", "# Data\n\nof pumps\n");
    JsonNode notes =
        resultOf(command, "--add-tag", "s={file}", folder.resolve("d").toString()).get("notes");
    List<String> topics = new ArrayList<>();
    notes.forEach(note -> topics.add(note.get("topic").asText()));
    assertEquals(List.of("skipped", "path", "path", "WARNING"), topics, notes.toString());
    assertTrue(notes.get(0).get("text").asText().contains("README.md"), notes.toString());
  }
}
