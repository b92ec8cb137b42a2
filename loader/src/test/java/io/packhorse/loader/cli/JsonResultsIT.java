package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One form for the results of all commands that need a store. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class JsonResultsIT {
  @TempDir private Path folder = Path.of("");

  private static JsonNode run(ExitCode ended, String command, String... options) throws Exception {
    String root = EmbeddedStoreFixture.shared().store().root().toString();
    return JsonEnvelope.run(
            ended,
            command,
            Stream.concat(Stream.of("--dir", root), Arrays.stream(options)).toArray(String[]::new))
        .path("result");
  }

  @Test
  void allCommandsPrintTheSameForm() throws Exception {
    Path lines = folder.resolve("lines.txt");
    Files.writeString(lines, "json.m 1356998400 1 h=a\njson.m 1356998401 1 h=a\n");
    run(ExitCode.OK, "load", "--job", "json", lines.toString());
    assertEquals(2, run(ExitCode.OK, "verify", "--job", "json").get("equal").asLong());
    JsonNode job = run(ExitCode.OK, "job show", "json");
    assertEquals("loaded", job.get("state").asText());
    assertTrue(job.get("loaders").get(0).has("stamp_ms"), job.toString());
    assertTrue(run(ExitCode.OK, "job list").get("jobs").size() > 0);
    assertTrue(run(ExitCode.OK, "server status").get("running").asBoolean());
    assertTrue(run(ExitCode.OK, "doctor").get("findings").size() > 0);
    assertTrue(run(ExitCode.OK, "schema describe").get("tables").size() > 0);
    assertTrue(run(ExitCode.OK, "summary show").get("exists").asBoolean());
    String[] ofMetric = {"--metric", "json.m"};
    assertEquals(1, run(ExitCode.OK, "summary build", ofMetric).get("cells").asLong());
    JsonNode compared = run(ExitCode.OK, "summary verify", ofMetric);
    assertEquals(2, compared.get("blocks").asLong(), compared.toString());
    assertEquals(0, compared.get("differing").asLong(), compared.toString());
    run(ExitCode.USAGE, "summary verify", "--metric", "json.unknown");
    run(ExitCode.USAGE, "summary drop");
    String[] walk = {"--metric", "json.walk", "--sensors", "2", "--span", "1h"};
    run(ExitCode.OK, "loadtest fill", walk);
    assertTrue(run(ExitCode.OK, "verify", walk).get("passed").asBoolean());

    Path stage = folder.resolve("stage");
    Path more = folder.resolve("more.txt");
    Files.writeString(more, "json.m 1356998402 1 h=a\n");
    String[] staged = {"--sink", "hfiles", "--stage", stage.toString(), "--job", "staged"};
    run(
        ExitCode.OK,
        "load",
        Stream.concat(Arrays.stream(staged), Stream.of(more.toString())).toArray(String[]::new));
    JsonNode completed = run(ExitCode.OK, "hfile complete", stage.toString());
    assertTrue(completed.get("verified").get("passed").asBoolean(), completed.toString());
    // Errors of all kinds have the form of errors.
    run(ExitCode.PREFLIGHT, "load", lines.toString());
    run(ExitCode.PREFLIGHT, "job resume", "json");
    run(ExitCode.USAGE, "schema create");
  }
}
