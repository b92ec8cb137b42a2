package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class EstimateCommandTest {
  private static final long BASE = 1_356_998_400;
  private static final double NO_ERROR = 1e-12;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void addsUpWhatTheCellsOfALoadTake() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    long packed = 0;
    long compacted = 0;
    for (int hour = 0; hour < 3; hour++) {
      PointBlock block = new PointBlock();
      for (int second = 0; second < 3600; second += 10) {
        long tenths = random.nextInt(400);
        text.append(BASE + hour * 3600L + second).append(' ').append(tenths / 10.0).append('\n');
        block.addDouble(second * 1000, Double.doubleToRawLongBits(tenths / 10.0));
      }
      packed += new PackedCellEncoder().encode(block).length + PackedQualifier.LENGTH;
      ByteWriter qualifier = new ByteWriter(16);
      ByteWriter value = new ByteWriter(16);
      CompactedCell.encode(block, qualifier, value);
      compacted += qualifier.length() + value.length();
    }
    JsonNode file = estimateJson(write("tenths.txt", text.toString()));
    assertEquals(1080, file.get("points").asLong());
    assertEquals(3, file.get("hours").asLong());
    assertEquals(1, file.get("series").asLong());
    assertEquals(0, file.get("rejected").asLong());
    assertEquals(packed / 1080.0, file.get("packed_bytes_per_point").asDouble(), NO_ERROR);
    assertEquals(compacted / 1080.0, file.get("opentsdb_bytes_per_point").asDouble(), NO_ERROR);
    assertEquals(
        (double) compacted / packed, file.get("packed_times_smaller").asDouble(), NO_ERROR);
    assertTrue(file.get("bit_exact").asBoolean());
    for (String forms : List.of("packed_times", "packed_values")) {
      long cells = 0;
      for (JsonNode each : file.get(forms)) {
        cells += each.asLong();
      }
      assertEquals(3, cells, forms);
    }
  }

  @Test
  void countsSeriesOfImportLinesEachOnItsOwn() throws IOException {
    JsonNode file =
        estimateJson(
            write(
                "lines.txt",
                """
                m 1356998400 1 host=a
                m 1356998400 1.5 host=b
                m 1356998401 2 host=a
                m 1357002000 3 host=a
                m 1356998401 4 host=a
                """));
    assertEquals(4, file.get("points").asLong());
    assertEquals(1, file.get("replaced").asLong());
    assertEquals(2, file.get("series").asLong());
    assertEquals(3, file.get("hours").asLong());
  }

  @Test
  void tellsOfEachFileAndItsRejects() throws IOException {
    Path good = write("good.txt", "1356998400 1\n1356998401 2\n");
    Path mixed = write("mixed.csv", "time,value\n1356998400,1\n");
    assertEquals(0, run("estimate", good.toString(), mixed.toString()), err.toString());
    assertTrue(out.toString().contains(good + System.lineSeparator() + "  points     2 in 1 hour"));
    assertTrue(out.toString().contains("every bit of every point came back"), out.toString());
    assertTrue(
        err.toString().contains(mixed + ":1 (byte 0): timestamp cannot be read"), err.toString());
  }

  @Test
  void saysHowATableIsReadAndSavesThat() throws IOException {
    Path table = write("t.csv", "date,site,v\n2013/01/01 00:00,a,1.5\n2013/01/01 01:00,a,2.5\n");
    Path mapping = directory.resolve("mapping.json");
    assertEquals(0, run("estimate", table.toString(), "--save-mapping", mapping.toString()));
    assertTrue(err.toString().contains("time from date (uuuu/M/d H:mm, UTC)"), err.toString());
    assertTrue(Files.readString(mapping).contains("uuuu/M/d H:mm"));
  }

  @Test
  void saysWhatALoadWouldAskAbout() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      lines.append("http.ms ").append(1_700_000_000 + i / 10).append(" 5 session=x").append(i);
      lines.append('\n');
    }
    Path sessions = write("sessions.txt", lines.toString());
    Path same = write("same.txt", lines.toString());
    assertEquals(0, run("estimate", sessions.toString(), same.toString()), err.toString());
    assertTrue(
        err.toString().contains("the tag session has 5,000 values in the first"), err.toString());
    assertTrue(err.toString().contains("WARNING   files of equal content"), err.toString());
    assertTrue(out.toString().contains("of 5,000 series"), out.toString());
    Path dump = write("dump.prom", "up{instance=\"h:9100\"} 1 1700000100\n");
    assertEquals(2, run("estimate", dump.toString()));
    assertTrue(err.toString().contains("--replace-characters stores h_9100"), err.toString());
  }

  @Test
  void saysThatAPipeIsNotCheckedBeforehand() {
    // Not a regular file, and empty: to the command it is a pipe.
    assertEquals(2, run("estimate", "/dev/null"));
    assertTrue(
        err.toString().contains("/dev/null can be read only once: it is not checked"),
        err.toString());
  }

  @Test
  void takesAListOfFilesWithBlanksInTheirNames() throws IOException {
    Path file = write("two words.txt", "1356998400 1\n1356998401 2\n");
    Path list = write("list", "# all\n" + file + "\n");
    assertEquals(0, run("estimate", "@" + list), err.toString());
    assertTrue(out.toString().contains(file + System.lineSeparator()), out.toString());
  }

  @Test
  void packsValuesAloneByTheInterval() throws IOException {
    JsonNode file = estimateJson(write("values.txt", "1\n2\n3\n"), "--interval", "30m");
    assertEquals(3, file.get("points").asLong());
    assertEquals(2, file.get("hours").asLong());
  }

  @Test
  void readsTimestampsInTheUnitAskedFor() throws IOException {
    Path file = write("ms.txt", "1000 1\n4000000 2\n");
    assertEquals(2, estimateJson(file, "--timestamp-unit", "ms").get("hours").asLong());
  }

  @Test
  void refusesAFileWithoutPoints() throws IOException {
    assertEquals(2, run("estimate", write("none.txt", "1\n2\n").toString()));
    assertTrue(err.toString().contains("No data points were found in"), err.toString());
    assertTrue(
        err.toString().contains("none.txt: 2 rejected: line is not: timestamp value. The first is"),
        err.toString());
    assertTrue(err.toString().contains("Values alone need --interval. "), err.toString());
    assertEquals(2, run("estimate", write("words.txt", "1700000000;a\n1700000060;b\n").toString()));
    assertTrue(
        err.toString().contains("words.txt:1 (byte 0): value is not a number: 1700000000;a"),
        err.toString());
    assertTrue(err.toString().contains("State another way with --format"), err.toString());
    Path old = write("old.txt", "m 1700000000 1 h=a\n");
    assertEquals(2, run("estimate", "--from", "2024-01-01", old.toString()));
    assertTrue(err.toString().contains("old.txt: 1 left out, because"), err.toString());
  }

  @Test
  void refusesWhatIsNotThere() {
    assertEquals(2, run("estimate", directory.resolve("gone").toString()));
    assertTrue(err.toString().contains("There is no file"), err.toString());
    assertEquals(2, run("estimate", directory.toString()));
    assertTrue(err.toString().contains("No file matches"), err.toString());
  }

  @Test
  void refusesOptionsThatDoNotFit() throws IOException {
    Path lines = write("lines.txt", "m 1356998400 1 host=a\n");
    assertEquals(2, run("estimate", "--interval", "1s", lines.toString()));
    assertTrue(err.toString().contains("has more than two columns"), err.toString());
    assertEquals(2, run("estimate", "--interval", "0s", lines.toString()));
    assertEquals(2, run("estimate", "--timestamp-unit", "min", lines.toString()));
    assertTrue(err.toString().contains("'min' is not s, ms, us or ns"), err.toString());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private JsonNode estimateJson(Path file, String... options) throws IOException {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "estimate";
    arguments[1] = "--json";
    arguments[2] = file.toString();
    System.arraycopy(options, 0, arguments, 3, options.length);
    assertEquals(0, run(arguments), err.toString());
    JsonNode files = new ObjectMapper().readTree(out.toString()).get("result").get("files");
    assertEquals(1, files.size());
    assertEquals(file.toString(), files.get(0).get("file").asText());
    return files.get(0);
  }

  private int run(String... arguments) {
    CommandLine commandLine =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
