package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.load.DryRun;
import io.packhorse.loader.source.parquet.ParquetRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
    assertTrue(ended.err().contains("REJECTED  3 lines or fields"), ended.err());
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
      assertTrue(ended.err().contains("lines were rejected, more than"), ended.err());
    }
    for (String wrong : new String[] {"-1", "101%", "x", "5 %", ""}) {
      assertEquals(ExitCode.USAGE.code(), load("--max-rejects", wrong, file.toString()).exitCode());
    }
  }

  @Test
  void judgesAShareOfRejectsByLinesThatAreLeftOutToo() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(20_000) + "no point\n");
    String[] last = {"--from", String.valueOf(1_356_998_400 + 39_800)};
    Ended ended = load("--max-rejects", "0.01%", last[0], last[1], "--json", file.toString());
    assertEquals(ExitCode.REJECTS.code(), ended.exitCode(), ended.err());
    assertEquals(19_900, ended.result().get("left_out").asLong());
    assertEquals(
        ExitCode.TOO_MANY_REJECTS.code(),
        load("--max-rejects", "0.004%", last[0], last[1], file.toString()).exitCode());
  }

  @Test
  void stopsSoonWhereNoLineIsAPoint() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, "this is no point at all\n".repeat(1_000_000));
    Ended ended = load("--format", "opentsdb", "--max-rejects", "10", file.toString());
    assertEquals(ExitCode.TOO_MANY_REJECTS.code(), ended.exitCode(), ended.err());
    long written = Files.size(directory.resolve("rejects.tsv"));
    assertTrue(written < 20_000_000, "rejects go on: " + written);
  }

  @Test
  void asksWhyPointsAreReplacedUnlessThatIsAllowed() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(1000) + points(10));
    Ended few = load("--json", file.toString());
    assertEquals(ExitCode.OK.code(), few.exitCode(), few.err());
    assertFalse(few.err().contains("REPLACED"), few.err());

    Files.writeString(file, points(1000) + points(11));
    Ended many = load("--json", file.toString());
    assertEquals(ExitCode.REPLACED.code(), many.exitCode(), many.err());
    assertEquals(11, many.result().get("replaced").asLong());
    assertTrue(many.result().get("replaced_exact").asBoolean());
    assertEquals(
        "m{host=h0}", many.result().get("replaced_example").get("series").asText(), many.out());
    assertTrue(many.err().contains("REPLACED  11 of 1,011 points"), many.err());
    assertTrue(many.err().contains("m{host=h0} at 2013-01-01T00:"), many.err());
    assertTrue(many.err().contains("--add-tag"), many.err());

    for (String enough : new String[] {"11", "2%", "100%"}) {
      assertEquals(0, load("--max-replaced", enough, file.toString()).exitCode(), enough);
    }
    for (String tooLittle : new String[] {"10", "0", "1%"}) {
      Ended ended = load("--max-replaced", tooLittle, file.toString());
      assertEquals(ExitCode.TOO_MANY_REJECTS.code(), ended.exitCode(), ended.err());
      assertTrue(ended.err().contains("more than --max-replaced allows"), ended.err());
      assertTrue(ended.err().contains("One of them: m{host=h0} at "), ended.err());
    }
  }

  @Test
  void aDryRunCountsPointsThatWouldBeReplacedInWhateverOrderTheyCome() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(20_000) + points(20_000));
    Ended plan = load("--dry-run", "--json", file.toString());
    assertEquals(40_000, plan.result().get("points").asLong());
    assertEquals(20_000, plan.result().get("replaced").asLong());
    assertTrue(plan.result().get("replaced_exact").asBoolean());
    assertEquals(
        plan.result().get("cell_bytes").asLong() / 20_000.0,
        plan.result().get("bytes_per_point").asDouble());
    assertTrue(plan.err().contains("would replace others of this load"), plan.err());
    String text = load("--dry-run", file.toString()).out();
    assertTrue(text.contains("replaced  20,000 of them have the series and time of"), text);

    // Packed and dropped, an hour that comes again cannot be compared with its first part.
    Ended dropped = load("--json", file.toString());
    assertFalse(dropped.result().get("replaced_exact").asBoolean(), dropped.out());
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
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertRefused("No file matches", empty.toString());
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
  void saysWhereAFileIsDamagedAndLoadsTheRest() throws IOException {
    Path damaged = directory.resolve("lines.gz");
    Files.write(damaged, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 5});
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(10));
    Ended ended = load("--json", damaged.toString(), file.toString());
    assertEquals(ExitCode.REJECTS.code(), ended.exitCode(), ended.err());
    assertEquals(10, ended.result().get("acknowledged").asLong());
    assertEquals(1, ended.result().get("rejected").asLong());
    assertTrue(ended.err().contains("lines.gz:1 (byte 0): the input is damaged"), ended.err());
  }

  @Test
  void loadsEveryFormatOfADirectoryByItsOwnRules() throws IOException {
    Path folder = Files.createDirectory(directory.resolve("all"));
    Files.writeString(folder.resolve("a.lp"), "cpu,host=a x=1i,y=2i,z=\"t\" 1356998400000000000\n");
    Files.writeString(folder.resolve("b.csv"), "time,host,x\n2013-01-01,a,1\n2013-01-02,a,\n");
    Files.writeString(folder.resolve("c.prom"), "x{host=\"a\"} 1 1356998400000\n");
    Files.writeString(
        folder.resolve("d.json"),
        "[{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":1,\"tags\":{\"host\":\"b\"}}]");
    Files.writeString(folder.resolve("e"), points(4));
    String[] some = {"--json", "--where", "host=a", "--to", "2013-01-02", folder.toString()};
    assertEquals(ExitCode.REPLACED.code(), load(some).exitCode(), "1 of 4 points is many");
    Ended ended = load(Stream.concat(Stream.of("--max-replaced", "1"), Stream.of(some)));
    assertEquals(ExitCode.REJECTS.code(), ended.exitCode(), ended.err());
    assertEquals(3, ended.result().get("acknowledged").asLong(), ended.out());
    assertEquals(1, ended.result().get("replaced").asLong(), "one point stands in two files");
    assertEquals(1, ended.result().get("rejected").asLong());
    assertEquals(5, ended.result().get("left_out").asLong());
    assertEquals(5, ended.err().lines().filter(line -> line.startsWith("input ")).count());
  }

  @Test
  void savesAMappingAndLoadsByIt() throws IOException {
    Path table = directory.resolve("t.csv");
    Files.writeString(table, "time,host,Temp (C)\n2013-01-01,a,1.5\n");
    Path mapping = directory.resolve("mapping.json");
    Ended dry = load("--dry-run", "--save-mapping", mapping.toString(), table.toString());
    assertEquals(ExitCode.OK.code(), dry.exitCode(), dry.err());
    assertTrue(dry.err().contains("Temp (C) as Temp_C"), dry.err());
    Files.writeString(mapping, Files.readString(mapping).replace("\"Temp_C\"", "\"plant.temp\""));
    Ended ended = load("--mapping", mapping.toString(), table.toString());
    assertEquals(ExitCode.OK.code(), ended.exitCode(), ended.err());
    assertTrue(ended.err().contains("Temp (C) as plant.temp"), ended.err());
    assertTrue(ended.out().contains("acknowledged 1"), ended.out());
  }

  @Test
  void loadsParquetFilesBesideOthersAndByAMapping() throws IOException {
    Path parquet = parquet("plant.parquet", 100_000);
    Path table = directory.resolve("plant.csv");
    Files.writeString(table, "time,site,Temp (C)\n2023-01-01,a,1.5\n");
    Path mapping = directory.resolve("mapping.json");
    Ended dry =
        load("--dry-run", "--json", "--save-mapping", mapping.toString(), parquet.toString());
    assertEquals(ExitCode.OK.code(), dry.exitCode(), dry.err());
    assertEquals(100_000, dry.result().get("points").asLong());
    assertTrue(dry.result().get("exact").asBoolean());
    assertTrue(
        dry.err()
            .contains("Parquet; time from time (ms); values from Temp#C as Temp_C; tags from site"),
        dry.err());
    Files.writeString(mapping, Files.readString(mapping).replace("Temp_C", "plant.temp"));
    Files.writeString(directory.resolve("cut.parquet"), "PAR1");
    Ended both =
        load(
            "--json",
            parquet.toString(),
            directory.resolve("cut.parquet").toString(),
            table.toString());
    assertEquals(ExitCode.REJECTS.code(), both.exitCode(), both.err());
    assertEquals(100_001, both.result().get("packed").asLong());
    assertTrue(both.err().contains("cut.parquet:1: the input is damaged"), both.err());
    Ended mapped = load("--mapping", mapping.toString(), parquet.toString());
    assertEquals(ExitCode.OK.code(), mapped.exitCode(), mapped.err());
    assertTrue(mapped.err().contains("Temp#C as plant.temp"), mapped.err());
  }

  /** Of a file so large that only its beginning is read. */
  @Test
  void reckonsWhatAParquetFileHoldsByItsBeginning() throws IOException {
    int rows = 80_000;
    Path file =
        new ParquetRows(
                """
                required int64 time (TIMESTAMP(MILLIS,true));
                required binary note (STRING);
                required int64 v;
                """)
            .write(
                directory.resolve("large"),
                rows,
                (row, i) ->
                    row.append("time", 1_704_067_200_000L + i)
                        .append("note", i + "-".repeat(1500))
                        .append("v", (long) i));
    JsonNode plan =
        load(
                "--dry-run",
                "--json",
                "--tag",
                "note",
                "--drop-tag",
                "note",
                "--add-tag",
                "a=b",
                file.toString())
            .result();
    assertFalse(plan.get("exact").asBoolean());
    assertEquals(rows, plan.get("points").asDouble(), rows / 10.0);
  }

  private Path parquet(String name, int rows) throws IOException {
    return new ParquetRows(
            """
            required int64 time (TIMESTAMP(MILLIS,true));
            required binary site (STRING);
            required double Temp#C;
            """)
        .write(
            directory.resolve(name),
            rows,
            (row, i) ->
                row.append("time", 1_704_067_200_000L + i)
                    .append("site", "a")
                    .append("Temp#C", i * 0.1));
  }

  @Test
  void optionsForTimesCountMoreThanAMapping() throws IOException {
    Path table = directory.resolve("t.csv");
    Files.writeString(table, "time,host,v\n2013-03-31 02:30,a,1\n2013-07-01 02:30,a,2\n");
    String mapping = directory.resolve("mapping.json").toString();
    assertEquals(
        ExitCode.OK.code(),
        load("--dry-run", "--save-mapping", mapping, table.toString()).exitCode());
    JsonNode utc = load("--dry-run", "--json", "--mapping", mapping, table.toString()).result();
    assertEquals(1_372_645_800_000L, utc.get("last_ms").asLong());
    Ended ended =
        load(
            "--dry-run",
            "--json",
            "--mapping",
            mapping,
            "--time-zone",
            "Europe/Oslo",
            table.toString());
    assertTrue(ended.err().contains("(iso, Europe/Oslo)"), ended.err());
    assertEquals(1_372_645_800_000L - 2 * 3_600_000, ended.result().get("last_ms").asLong());
    assertEquals(1, ended.result().get("rejected").asLong(), "clocks are put forward over it");
    assertTrue(ended.err().contains("--time-zone=-08:00"), ended.err());
    Ended earlier =
        load(
            "--dry-run",
            "--json",
            "--mapping",
            mapping,
            "--time-zone",
            "Europe/Oslo",
            "--dst",
            "earlier",
            table.toString());
    assertEquals(0, earlier.result().get("rejected").asLong());
    Ended wrong = load("--json", "--mapping", mapping, "--timestamp-unit", "s", table.toString());
    assertEquals(2, wrong.result().get("rejected").asLong(), wrong.err());
  }

  @Test
  void saysWhatWouldBeLoaded() throws IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, points(8000) + "bad\n");
    Ended ended = load("--dry-run", "--json", file.toString());
    assertEquals(ExitCode.OK.code(), ended.exitCode(), ended.err());
    JsonNode plan = ended.result();
    assertTrue(plan.get("exact").asBoolean());
    assertEquals(8000, plan.get("points").asLong());
    assertEquals(2, plan.get("series_at_least").asLong());
    assertEquals("[\"m{host=h0}\",\"m{host=h1}\"]", plan.get("first_series").toString());
    assertEquals(1, plan.get("rejected").asLong());
    assertEquals(Files.size(file), plan.get("input_bytes").asLong());
    assertEquals(1_356_998_400_000L, plan.get("first_ms").asLong());
    Ended loaded = load("--json", file.toString());
    assertEquals(
        loaded.result().get("bytes_per_point").asDouble(),
        plan.get("bytes_per_point").asDouble(),
        1e-9);
    assertEquals(ExitCode.USAGE.code(), load("--dry-run", "-").exitCode());
  }

  @Test
  void saysHowMuchMoreThereIsThanItHasLookedAt() throws IOException {
    Path file = directory.resolve("large.txt");
    String lines = points(200_000);
    try (Writer out = Files.newBufferedWriter(file)) {
      for (long written = 0; written < DryRun.INPUT_BYTES_MAX * 3 / 2; written += lines.length()) {
        out.write(lines);
      }
    }
    long points = Files.size(file) / lines.length() * 200_000;
    JsonNode plan = load("--dry-run", "--json", file.toString()).result();
    assertFalse(plan.get("exact").asBoolean());
    assertEquals(1.0, plan.get("points").asDouble() / points, 0.02);
  }

  @Test
  void refusesBeforeAnythingIsLoadedWhatItCannotTell() throws IOException {
    Path good = directory.resolve("good.txt");
    Files.writeString(good, points(10));
    Path odd = directory.resolve("odd");
    Files.writeString(odd, "nothing like points\n");
    Ended ended = load(good.toString(), odd.toString());
    assertEquals(ExitCode.USAGE.code(), ended.exitCode());
    assertTrue(ended.err().contains("does not begin like any supported format"), ended.err());
    assertFalse(ended.err().contains("acknowledged"), ended.err());
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

  private Ended load(Stream<String> arguments) {
    return load(arguments.toArray(String[]::new));
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
