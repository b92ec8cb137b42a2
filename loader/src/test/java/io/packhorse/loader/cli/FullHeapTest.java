package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A load whose series outgrow the heap ends and says what to set with the JVM's usual collector,
 * too; HeapWatchTest does it with the one that the launcher chooses.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FullHeapTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void endsWithG1AndSaysWhatToSet() throws Exception {
    Path lines = folder.resolve("many.txt");
    try (BufferedWriter writer = Files.newBufferedWriter(lines)) {
      for (int i = 0; i < 400_000; i++) {
        writer.write("m " + (1_700_000_000 + i / 1000) + " 1 id=x" + i + "\n");
      }
    }
    Process load =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseG1GC",
                "-Dpackhorse.log.root=OFF",
                "-cp",
                System.getProperty("java.class.path"),
                Packhorse.class.getName(),
                "load",
                "--sink",
                "null",
                "--allow-many-values",
                "id",
                lines.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(load.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(ExitCode.CLUSTER.code(), load.waitFor(), said);
    assertTrue(said.matches("(?s).*set PACKHORSE_HEAP[= ].*"), said);
  }
}
