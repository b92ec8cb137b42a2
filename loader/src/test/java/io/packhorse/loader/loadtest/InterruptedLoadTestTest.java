package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that drives a test is ended in the middle. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class InterruptedLoadTestTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** The process: drives nothing for an hour. */
  public static void main(String[] arguments) throws Exception {
    Workload workload =
        WorkloadFile.parse("metrics: [a]\ntags: {host: 5}\nphases: {hold: 1h}\n", "w.yaml");
    URI nobody = URI.create("http://127.0.0.1:1");
    new LoadTest(workload, nobody, nobody, Protocol.PUT, Optional.empty(), Optional.empty())
        .run(Path.of(arguments[0]), (share, points, p99) -> {});
  }

  @Test
  void aSignalLeavesTheReport() throws Exception {
    end(Process::destroy);
    JsonNode result = new ObjectMapper().readTree(folder.resolve("result.json").toFile());
    assertEquals("invalid", result.get("verdict").asText());
    assertTrue(result.get("invalid").asText().contains("Ctrl-C"), result.toString());
    assertTrue(result.get("calls").get(0).get("intended").asLong() > 0, result.toString());
    assertTrue(Files.exists(folder.resolve("report.html")));
  }

  @Test
  void aKillLeavesTheSeconds() throws Exception {
    end(Process::destroyForcibly);
    assertTrue(Files.readAllLines(folder.resolve("seconds.csv")).size() > 2);
    assertTrue(Files.size(folder.resolve("write-response.hlog")) > 0);
    String report = Files.readString(folder.resolve("report.html"));
    assertTrue(report.contains("Running: 0 % of the test are over."), report);
  }

  private interface End {
    void of(Process process);
  }

  private void end(End end) throws Exception {
    Process test =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                InterruptedLoadTestTest.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path seconds = folder.resolve("seconds.csv");
    while (!Files.exists(seconds) || Files.readAllLines(seconds).size() < 4) {
      assertTrue(test.isAlive());
      TimeUnit.MILLISECONDS.sleep(100);
    }
    end.of(test);
    assertTrue(test.waitFor(20, TimeUnit.SECONDS));
  }
}
