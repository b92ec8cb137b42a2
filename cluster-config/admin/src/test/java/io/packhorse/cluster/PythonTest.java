package io.packhorse.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the Python tests of sizing and rendering. */
class PythonTest {
  private static final Path ROOT = Path.of(System.getProperty("packhorse.root"), "cluster-config");

  @Test
  void sizingAndGoldenFiles() throws IOException, InterruptedException {
    assumeTrue(
        run(List.of("-c", "import tomllib")).isEmpty(),
        "Python 3.11 or later is not installed: sizing and rendering are not tested");

    assertEquals("", run(List.of("-B", "-m", "unittest", "-q")));
  }

  /** Output of a failed run of Python; empty if it succeeded. */
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
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return python.waitFor() == 0 ? "" : output + "exit " + python.exitValue();
  }
}
