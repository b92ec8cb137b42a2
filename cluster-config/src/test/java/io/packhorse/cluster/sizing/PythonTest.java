package io.packhorse.cluster.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the tests of the sizing, which are in the language of the sizing. */
class PythonTest {
  private static final Path ROOT = Path.of(System.getProperty("packhorse.root"), "cluster-config");

  @Test
  void sizingAndGoldenFiles() throws IOException, InterruptedException {
    assumeTrue(
        run(List.of("-c", "import tomllib")).isEmpty(), "no Python 3.11: sizing is not tested");

    assertEquals("", run(List.of("-B", "-m", "unittest", "-q")));
  }

  /** What Python says; empty if all went well. */
  private static String run(List<String> arguments) throws IOException, InterruptedException {
    Process python;
    try {
      python =
          new ProcessBuilder(
                  Stream.concat(Stream.of("python3"), arguments.stream()).toArray(String[]::new))
              .directory(ROOT.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException notInstalled) {
      return "no python3";
    }
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return python.waitFor() == 0 ? "" : said + "exit " + python.exitValue();
  }
}
