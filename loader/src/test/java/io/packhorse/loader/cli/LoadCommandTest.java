package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

@Isolated("reads what is printed on the standard streams")
final class LoadCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private record Ended(int exitCode, String out, String err) {
    JsonNode result() throws IOException {
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @Test
  void balancesPointsReplacementsAndRejects() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(
        file,
        """
        # ten hours of two series, one point of them twice, three lines no points
        """
            + points(20_000)
            + "m 1356998400 7 host=h0\nm 1356998400 x host=h0\nm 1356998400 7\nm\n");
    Ended ended = load("--json", file.toString());
    assertEquals(ExitCode.REJECTS.code(), ended.exitCode(), ended.err());
    JsonNode result = ended.result();
    assertEquals(20_004, result.get("read").asLong());
    assertEquals(3, result.get("rejected").asLong());
    assertEquals(
        result.get("read").asLong(),
        result.get("packed").asLong()
            + result.get("replaced").asLong()
            + result.get("rejected").asLong());
    assertEquals(result.get("packed").asLong(), result.get("acknowledged").asLong());
    assertEquals(1, result.get("rejected_by_reason").get("value is not a number").asLong());
    assertTrue(ended.err().contains("REJECTED  3 lines"), ended.err());
    assertEquals(3, Files.readAllLines(directory.resolve("rejects.tsv")).size());
  }

  @Test
  void stopsWhenTooManyLinesAreNoPoints() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(19_998) + "no point\nno point\n");
    for (String enough : new String[] {"2", "0.01%", "100%"}) {
      assertEquals(
          ExitCode.REJECTS.code(), load("--max-rejects", enough, file.toString()).exitCode());
    }
    for (String tooLittle : new String[] {"1", "0", "0.009%", "0%"}) {
      Ended ended = load("--max-rejects", tooLittle, file.toString());
      assertEquals(ExitCode.TOO_MANY_REJECTS.code(), ended.exitCode(), ended.err());
      assertTrue(ended.err().contains("lines are no points, more than"), ended.err());
    }
    for (String wrong : new String[] {"-1", "101%", "x", "5 %", ""}) {
      assertEquals(ExitCode.USAGE.code(), load("--max-rejects", wrong, file.toString()).exitCode());
    }
  }

  @Test
  void saysNothingOfRejectsWhereThereAreNone() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(100));
    Ended ended = load(file.toString());
    assertEquals(ExitCode.OK.code(), ended.exitCode(), ended.err());
    assertTrue(ended.out().contains("read 100 = packed 100 "), ended.out());
    assertFalse(ended.err().contains("REJECTED"), ended.err());
    assertFalse(Files.exists(directory.resolve("rejects.tsv")));
  }

  @Test
  void loadsCompactedCellsAndEmptyFiles() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(8000));
    Path empty = Files.createFile(directory.resolve("empty.txt"));
    Ended ended = load("--cells", "compacted", "--json", empty.toString(), file.toString());
    assertEquals(ExitCode.OK.code(), ended.exitCode(), ended.err());
    assertEquals(8000, ended.result().get("acknowledged").asLong());
    assertEquals(ExitCode.OK.code(), load(empty.toString()).exitCode());
  }

  @Test
  void refusesInputThatIsNotThereBeforeAnythingIsLoaded() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(10));
    assertRefused("There is no file nowhere.txt;", file.toString(), "nowhere.txt");
    assertRefused("is a directory", directory.toString());
    assertRefused("only once", "-", "-");
    assertRefused("is not a file name", "nul\0byte");
  }

  @Test
  void refusesToWriteRejectsOverTheInputOrIntoNothing() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(10));
    assertRefused("would overwrite", "--rejects", file.toString(), file.toString());
    String nowhere = directory.resolve("missing").resolve("r.tsv").toString();
    assertRefused("cannot be written to", "--rejects", nowhere, file.toString());
  }

  @Test
  void saysWhereAGzipFileIsDamaged() throws IOException {
    Path file = directory.resolve("lines.gz");
    Files.write(file, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 5});
    Ended ended = load(file.toString());
    assertEquals(ExitCode.USAGE.code(), ended.exitCode());
    assertTrue(ended.err().contains("lines.gz cannot be read any further at line 1"), ended.err());
    assertTrue(ended.err().contains("0 points were acknowledged"), ended.err());
  }

  private void assertRefused(String why, String... arguments) {
    Ended ended = load(arguments);
    assertEquals(ExitCode.USAGE.code(), ended.exitCode());
    assertTrue(ended.err().contains(why), ended.err());
    assertTrue(ended.err().strip().endsWith("nothing was loaded."), ended.err());
    assertEquals("", ended.out());
  }

  private static String points(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("m ").append(1_356_998_400 + i / 2 * 4).append(' ').append(i);
      text.append(" host=h").append(i % 2).append('\n');
    }
    return text.toString();
  }

  /** Runs the command into the null sink, its rejects in the test's directory. */
  private Ended load(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--sink", "null", "--threads", "2"));
    if (!List.of(arguments).contains("--rejects")) {
      all.addAll(List.of("--rejects", directory.resolve("rejects.tsv").toString()));
    }
    all.addAll(List.of(arguments));
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (PrintStream captureOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream captureErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      System.setOut(captureOut);
      System.setErr(captureErr);
      int exitCode =
          new CommandLine(new LoadCommand())
              .setErr(
                  new PrintWriter(new OutputStreamWriter(captureErr, StandardCharsets.UTF_8), true))
              .setExecutionExceptionHandler(new ErrorReport())
              .execute(all.toArray(String[]::new));
      return new Ended(
          exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
    }
  }
}
