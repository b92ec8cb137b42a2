package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job whose tags come from paths is resumed and verified with the same tags. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PathTagsIT {
  private static final int ROWS = 400;

  @TempDir private Path folder = Path.of("");

  private static JsonNode run(ExitCode ended, String command, List<String> options)
      throws Exception {
    List<String> all =
        new ArrayList<>(List.of("--dir", EmbeddedStoreFixture.shared().store().root().toString()));
    all.addAll(options);
    return JsonEnvelope.run(ended, command, all.toArray(String[]::new));
  }

  /** Equal times in every file: without the tags of the paths, files would replace each other. */
  private void write(String name, int first, String more) throws Exception {
    StringBuilder rows = new StringBuilder("time,v\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append(1_700_000_000 + i * 60).append(',').append(first + i).append('\n');
    }
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolve(".."));
    Files.writeString(file, rows + more);
  }

  @Test
  void aStoppedJobIsResumedAndVerified() throws Exception {
    write("d/site=oslo/s1.csv", 0, "");
    write("d/site=oslo/s2.csv", 1000, "no time,1\n");
    write("d/site=rome/s1.csv", 2000, "");
    List<String> load =
        List.of(
            "--job",
            "paths",
            "--metric-prefix",
            "paths.{file}.",
            "--add-tag",
            "sensor={file}",
            "--checkpoint-interval",
            "1ms",
            "--threads",
            "1",
            "--max-rejects",
            "0",
            folder.resolve("d").toString());
    JsonNode stopped = run(ExitCode.TOO_MANY_REJECTS, "load", load);
    assertTrue(
        stopped.get("error").get("message").asText().contains("job resume paths"),
        stopped.toString());
    JsonNode resumed =
        run(ExitCode.REJECTS, "job resume", List.of("paths", "--max-rejects", "100%"))
            .get("result");
    assertEquals(3 * ROWS, resumed.get("packed").asLong(), resumed.toString());
    assertEquals(0, resumed.get("replaced").asLong(), resumed.toString());
    JsonNode verified = run(ExitCode.OK, "verify", List.of("--job", "paths")).get("result");
    assertEquals(3 * ROWS, verified.get("equal").asLong(), verified.toString());
    assertTrue(verified.get("passed").asBoolean(), verified.toString());
  }
}
