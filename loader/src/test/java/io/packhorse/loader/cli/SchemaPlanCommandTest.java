package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchemaPlanCommandTest {
  private static final List<String> YEAR =
      List.of("--series", "128", "--interval", "1s", "--retention", "365d");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void plansWithoutACluster() {
    assertEquals(0, plan(YEAR));
    assertTrue(out.toString().contains("points    4.04 G"), out.toString());
    assertTrue(out.toString().contains("tsd.storage.salt.buckets = 4;"), out.toString());
    assertTrue(out.toString().contains("regions   4 of 871 MB: 1 per salt bucket"), out.toString());
  }

  @Test
  void givesSplitPointsToPrograms() throws Exception {
    assertEquals(
        0,
        plan(YEAR, "--bytes-per-point", "30", "--until", "2024-01-01", "--metrics", "2", "--json"));
    JsonNode result = new ObjectMapper().readTree(out.toString()).path("result");
    assertEquals(8, result.path("regions").asInt());
    assertEquals("00000002" + "63b0cd00", result.path("split_points").path(0).asText());
    assertEquals("01", result.path("split_points").path(1).asText());
    assertEquals(64, result.path("uids").path("tagv").path("needed").asInt());
  }

  @Test
  void takesTheLayoutOfATsd(@TempDir Path folder) throws Exception {
    Path conf = folder.resolve("opentsdb.conf");
    Files.writeString(conf, "tsd.storage.uid.width.tagv = 1\n");
    assertEquals(
        0,
        plan(
            List.of("--series", "240", "--interval", "1s", "--retention", "1d"),
            "--tsd-conf",
            conf.toString()));
    assertTrue(
        out.toString().contains("at most 240 of 255 - TOO FEW: raise tsd.storage.uid.width.tagv"),
        out.toString());
    assertTrue(out.toString().contains("WARNING   without salt"), out.toString());
  }

  @Test
  void refusesHalfAWorkload() {
    assertEquals(2, plan(List.of("--series", "1")));
    assertTrue(err.toString().contains("have to be given together"), err.toString());
    assertEquals(2, plan(List.of()));
    assertEquals(2, plan(YEAR, "--metrics", "129"));
    assertEquals(2, plan(YEAR, "--servers", "0"));
    assertEquals(2, plan(YEAR, "--bytes-per-point", "0"));
  }

  private int plan(List<String> options, String... more) {
    List<String> arguments = new ArrayList<>(List.of("schema", "plan"));
    arguments.addAll(options);
    arguments.addAll(List.of(more));
    return Packhorse.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }
}
