package io.packhorse.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What benchmarks read of the results that commands print. */
class PackhorseCommandTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void theStatusOfAStoreHasWhatAStoreReads() throws IOException, InterruptedException {
    JsonNode status =
        built().result("server", "status", "--dir", folder.resolve("none").toString());
    assertEquals(0, status.required("hbase_pid").asLong());
    assertEquals(0, status.required("tsds").size());
  }

  @Test
  void aCommandThatFailsIsAnError() {
    assertThrows(IOException.class, () -> built().result("load", folder + "/none"));
  }

  private static PackhorseCommand built() {
    Path launcher = Path.of(System.getProperty("packhorse.root"), "target/dist/packhorse");
    assumeTrue(Files.exists(launcher), "the distribution is not built");
    return new PackhorseCommand(launcher);
  }
}
