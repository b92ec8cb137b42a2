package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Points of one load that meet are counted once, in whatever order and parts they come. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ReplacedIT {
  private static final int POINTS = 1200;

  @TempDir private Path folder = Path.of("");
  private String storeOption = "";

  private record Ended(int exitCode, String out, String err) {
    JsonNode result() throws Exception {
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @BeforeEach
  void start() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    storeOption = server.store().root().toString();
  }

  @Test
  void aFileLoadedTwiceInOneLoadCountsOnce() throws Exception {
    List<String> lines = lines("replaced.twice");
    Path twice = write("twice.txt", lines, lines);
    for (String sink : List.of("puts", "hfiles")) {
      String job = "twice-" + sink;
      Ended ended = run(ExitCode.REPLACED, "load", twice, "--sink", sink, "--job", job);
      assertCounts(ended.result(), POINTS, POINTS);
      assertTrue(ended.err().contains("REPLACED  1,200 of 2,400 points"), ended.err());
      assertTrue(ended.err().contains("replaced.twice{host=a} at 2023-"), ended.err());
      assertTrue(
          ended
              .result()
              .get("inputs")
              .get(0)
              .get("read_as")
              .asText()
              .contains("OpenTSDB import lines"),
          ended.out());
      assertReported(ended.err());
      assertVerified(job, POINTS);
    }
  }

  @Test
  void partsWithoutCommonPointsReplaceNothing() throws Exception {
    List<String> lines = lines("replaced.none");
    Collections.shuffle(lines, new Random(3));
    Path shuffled = write("shuffled.txt", lines, List.of());
    Ended ended = run(ExitCode.OK, "load", shuffled, "--job", "none");
    assertCounts(ended.result(), POINTS, 0);
    assertVerified("none", POINTS);
  }

  @Test
  void someLatePointsAreFoundAmongMany() throws Exception {
    List<String> lines = lines("replaced.some");
    Path some = write("some.txt", lines, lines.subList(300, 307));
    for (String sink : List.of("puts", "hfiles")) {
      String job = "some-" + sink;
      Ended ended = run(ExitCode.OK, "load", some, "--sink", sink, "--job", job);
      assertCounts(ended.result(), POINTS, 7);
      JsonNode example = ended.result().get("replaced_example");
      assertEquals("replaced.some{host=a}", example.get("series").asText());
      assertEquals(1_700_000_000_000L + 300 * 60_000, example.get("time_ms").asLong());
      assertVerified(job, POINTS);
    }
  }

  @Test
  void aLoadOverItsLimitIsResumedWithAHigherOne() throws Exception {
    List<String> lines = lines("replaced.limit");
    Path twice = write("limit.txt", lines, lines);
    Ended stopped =
        run(ExitCode.TOO_MANY_REJECTS, "load", twice, "--job", "limit", "--max-replaced", "40%");
    assertTrue(stopped.err().contains("1,200 of 2,400 points have the series"), stopped.err());
    assertTrue(stopped.err().contains("resume limit"), stopped.err());
    assertTrue(stopped.err().contains("--max-replaced 100%"), stopped.err());
    // What the first run has stored is there a second time; it still counts once.
    Ended resumed =
        run(ExitCode.OK, "job", Path.of(""), "resume", "limit", "--max-replaced", "100%");
    assertCounts(resumed.result(), POINTS, POINTS);
    assertVerified("limit", POINTS);
    run(ExitCode.TOO_MANY_REJECTS, "load", twice, "--sink", "hfiles", "--max-replaced", "1199");
  }

  private static List<String> lines(String metric) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      lines.add(metric + " " + (1_700_000_000 + i * 60) + " " + i + " host=a");
    }
    return lines;
  }

  private Path write(String name, List<String> first, List<String> then) throws Exception {
    List<String> all = new ArrayList<>(first);
    all.addAll(then);
    return Files.write(folder.resolve(name), all);
  }

  private static void assertCounts(JsonNode result, long packed, long replaced) {
    assertEquals(packed, result.get("packed").asLong(), result.toString());
    assertEquals(replaced, result.get("replaced").asLong(), result.toString());
    assertEquals(packed + replaced, result.get("read").asLong(), result.toString());
    assertEquals(packed, result.get("acknowledged").asLong(), result.toString());
    assertTrue(result.get("replaced_exact").asBoolean(), result.toString());
  }

  /** The report says first that the load is not clean. */
  private static void assertReported(String err) throws Exception {
    String file =
        err.lines().filter(line -> line.startsWith("report ")).findFirst().orElse("").substring(7);
    String report = Files.readString(Path.of(file.strip()));
    assertTrue(
        report.contains(
            "Loaded, but not clean: 1,200 points are in the store, but 1,200 points were replaced"
                + " by others of this load."),
        report);
    assertTrue(report.contains("two points meet in replaced.twice{host=a} at 2023-"), report);
  }

  private void assertVerified(String job, long points) throws Exception {
    for (String level : List.of("counts", "full")) {
      Ended verified = run(ExitCode.OK, "verify", Path.of(""), "--job", job, "--level", level);
      assertEquals(points, verified.result().get("expected").asLong(), verified.out());
      assertEquals(points, verified.result().get("equal").asLong(), verified.out());
    }
  }

  private Ended run(ExitCode expected, String command, Path input, String... options) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--json", "--dir", storeOption));
    if (command.equals("load")) {
      arguments.addAll(List.of("--allow-duplicate-input", input.toString()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments.toArray(String[]::new));
    assertEquals(expected.code(), code, out.toString() + err);
    return new Ended(code, out.toString(), err.toString());
  }
}
