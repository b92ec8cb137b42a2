package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads in two steps, and by several loaders; the machines are jobs folders of their own. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class StagedLoadIT {
  @TempDir private Path folder = Path.of("");
  private String store = "";
  private Path stage = Path.of("");
  private String lastOutput = "";

  @BeforeEach
  void startStore() throws Exception {
    store = EmbeddedStoreFixture.shared().store().root().toString();
    stage = folder.resolve("stick/january");
  }

  @Test
  void linesAreStagedAtTheEdgeAndCompletedOnTheCluster() throws Exception {
    Path lines = lines("it.stage.lines", "a", "b");
    run(ExitCode.REJECTS, "edge", "load", "--sink", "hfiles", "--stage", stage(), lines.toString());
    assertTrue(lastOutput.contains("staged    7,200 points"), lastOutput);
    assertEquals(JobState.STAGED, onlyJob("edge").history().state());
    assertEquals(0, lastPoints("it.stage.lines"), "nothing is in the store yet");
    run(ExitCode.PREFLIGHT, "edge", "load", lines.toString());
    run(ExitCode.PREFLIGHT, "edge", "verify", "--job", id("edge"));

    run(ExitCode.OK, "cluster", "hfile", "complete", stage());
    assertTrue(lastOutput.contains("loaded    7,200 points of job " + id("edge")), lastOutput);
    assertFalse(Files.exists(stage));
    assertEquals(2, lastPoints("it.stage.lines"));
    run(ExitCode.OK, "cluster", "verify", "--job", id("edge"));
    run(ExitCode.OK, "cluster", "job", "show", id("edge"));
    assertTrue(lastOutput.contains("rejected 1; acknowledged 7,200"), lastOutput);
    run(ExitCode.PREFLIGHT, "cluster", "load", lines.toString());

    run(ExitCode.PREFLIGHT, "cluster", "hfile", "complete", stage());
    run(ExitCode.PREFLIGHT, "edge", "job", "resume", id("edge"));
    assertTrue(
        lastOutput.contains("does not exist, or holds no complete set of HFiles"), lastOutput);
    run(ExitCode.OK, "cluster", "job", "rollback", id("edge"), "--yes");
    run(ExitCode.REJECTS, "cluster", "load", lines.toString());
  }

  @Test
  void whatIsNotAsItWasWrittenIsNotBulkLoaded() throws Exception {
    Files.createDirectories(stage);
    String[] load = {
      "loadtest",
      "fill",
      "--metric",
      "it.stage.check",
      "--sensors",
      "4",
      "--span",
      "2d",
      "--sink",
      "hfiles",
      "--stage",
      stage()
    };
    run(ExitCode.PREFLIGHT, "edge", load);
    assertTrue(lastOutput.contains("exists already"), lastOutput);
    assertEquals(List.of(), jobs("edge").list().jobs());
    Files.delete(stage);
    run(ExitCode.OK, "edge", load);

    Path file;
    try (Stream<Path> files = Files.list(stage.resolve("p"))) {
      file = files.sorted().toList().get(0);
    }
    refused(file, new byte[(int) Files.size(file)], file.getFileName() + " is damaged");
    Path written = stage.resolve("staged.json");
    String json = Files.readString(written);
    refused(
        written, bytes(json.replaceAll("\"tsuids\" : \"..", "\"tsuids\" : \"zz")), "other UIDs");
    refused(written, bytes(json.replace("salt 1 x", "salt 1 y")), "it was made for the store");
    refused(written, bytes(json.replaceFirst("\"v\" : 2", "\"v\" : 7")), "has version 7");
    Path series = stage.resolve("series");
    refused(series, bytes(Files.readString(series).replace("s001", "never")), "no UID for tagv");

    refused(written, bytes(json.substring(9)), "staged.json is damaged");

    run(ExitCode.OK, "cluster", "hfile", "complete", stage());
    run(ExitCode.OK, "cluster", "verify", "--job", id("edge"));
    run(
        ExitCode.OK,
        "cluster",
        "verify",
        "--metric",
        "it.stage.check",
        "--sensors",
        "4",
        "--span",
        "2d");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Refused each time on one machine, which has heard of the job from the second time on. */
  private void refused(Path file, byte[] content, String because) throws Exception {
    byte[] before = Files.readAllBytes(file);
    Files.write(file, content);
    run(ExitCode.PREFLIGHT, "cluster", "hfile", "complete", stage());
    assertTrue(lastOutput.contains(because), lastOutput);
    Files.write(file, before);
  }

  @Test
  void aStageWhoseJobDiedBeforeItSaidSoIsWrittenAgainOrCompleted() throws Exception {
    String[] walk = {"--metric", "it.stage.died", "--sensors", "4", "--span", "1d"};
    run(
        ExitCode.OK,
        "edge",
        with(List.of(walk), "loadtest", "fill", "--sink", "hfiles", "--stage", stage()));
    forgetThatItIsWritten();
    run(ExitCode.OK, "edge", "job", "resume", id("edge"));
    assertEquals(JobState.STAGED, onlyJob("edge").history().state());
    forgetThatItIsWritten();
    run(ExitCode.OK, "edge", "hfile", "complete", stage());
    assertEquals(JobState.LOADED, onlyJob("edge").history().state());
    run(ExitCode.OK, "edge", with(List.of(walk), "verify"));

    run(
        ExitCode.OK,
        "other",
        with(List.of(walk), "loadtest", "fill", "--sink", "hfiles", "--stage", stage()));
    Files.move(stage, folder.resolve("aside"));
    run(
        ExitCode.OK,
        "third",
        with(List.of(walk), "loadtest", "fill", "--sink", "hfiles", "--stage", stage()));
    Path ledger = jobs("other").path().resolve(id("other")).resolve("ledger");
    cutLastLine(ledger);
    run(ExitCode.PREFLIGHT, "other", "job", "resume", id("other"));
    assertTrue(lastOutput.contains("exists already and is not the job's"), lastOutput);
    assertTrue(Files.exists(stage));
  }

  @Test
  void filesThatAreGoneAreNotTakenForBulkLoaded() throws Exception {
    String[] walk = {"--metric", "it.stage.gone", "--sensors", "4", "--span", "1d"};
    run(ExitCode.OK, "edge", with(List.of(walk), "loadtest", "fill", "--sink", "hfiles"));
    cutLastLine(jobs("edge").path().resolve(id("edge")).resolve("ledger"));
    assertEquals(JobState.STAGED, onlyJob("edge").history().state());
    run(ExitCode.PREFLIGHT, "edge", "job", "resume", id("edge"));
    assertTrue(
        lastOutput.contains("does not exist, or holds no complete set of HFiles"), lastOutput);
    assertEquals(JobState.STAGED, onlyJob("edge").history().state());
  }

  private void forgetThatItIsWritten() throws Exception {
    cutLastLine(jobs("edge").path().resolve(id("edge")).resolve("ledger"));
    assertEquals(JobState.OPEN, onlyJob("edge").history().state());
  }

  private static void cutLastLine(Path file) throws Exception {
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, lines.size() - 1));
  }

  @Test
  void filesAreDealtOutToShards() throws Exception {
    List<String> files = new ArrayList<>();
    for (String host : List.of("a", "b", "c")) {
      files.add(lines("it.stage.shards", host).toString());
    }
    run(ExitCode.REJECTS, "edge", with(files, "load", "--job", "both", "--shard", "1/2"));
    assertTrue(lastOutput.contains("acknowledged 7,200"), lastOutput);
    run(ExitCode.PREFLIGHT, "edge", "verify", "--job", "both", "--level", "counts");
    assertTrue(lastOutput.contains("1 of 2 shards have begun"), lastOutput);
    run(ExitCode.PREFLIGHT, "edge", with(files, "load", "--job", "both", "--shard", "1/2"));
    run(ExitCode.REJECTS, "edge", with(files, "load", "--job", "both", "--shard", "2/2"));
    run(ExitCode.PREFLIGHT, "edge", with(files, "load", "--job", "other"));
    run(ExitCode.OK, "edge", "verify", "--job", "both");
    run(ExitCode.OK, "edge", "job", "show", "both", "--json");
    JsonNode shown = new ObjectMapper().readTree(lastOutput.substring(lastOutput.indexOf('{')));
    assertEquals("loaded", shown.at("/result/state").asText());
    assertEquals(3, shown.at("/result/inputs").size());
    assertEquals(10_800, shown.at("/result/packed").asLong());
    assertEquals(7_200, shown.at("/result/shards/0/packed").asLong());
    assertEquals(3, lastPoints("it.stage.shards"));
  }

  @Test
  void aJobKeepsTheMappingItBeganWith() throws Exception {
    Path table = folder.resolve("table.csv");
    Files.writeString(table, "time,host,temp\n1704067200,a,1.5\nnever,a,2\n1704067260,a,3\n");
    Path mapping = folder.resolve("mapping.json");
    run(
        ExitCode.OK,
        "edge",
        "load",
        "--dry-run",
        "--save-mapping",
        mapping.toString(),
        table.toString());
    Files.writeString(
        mapping, Files.readString(mapping).replace("\"as\" : \"temp\"", "\"as\" : \"other\""));
    run(
        ExitCode.TOO_MANY_REJECTS,
        "edge",
        "load",
        "--mapping",
        mapping.toString(),
        "--max-rejects",
        "0",
        table.toString());
    Files.delete(mapping);
    run(ExitCode.TOO_MANY_REJECTS, "edge", "job", "resume", id("edge"));
    run(ExitCode.OK, "edge", "job", "show", id("edge"), "--json");
    assertTrue(lastOutput.contains("\"as\":\"other\""), lastOutput);
    Files.writeString(table, "time,host,temp\n");
    run(ExitCode.PREFLIGHT, "edge", "job", "resume", id("edge"));
    assertTrue(lastOutput.contains("table.csv has changed since the job began"), lastOutput);
  }

  /** An hour of seconds of some hosts, and a line that is rejected. */
  private Path lines(String metric, String... hosts) throws Exception {
    List<String> lines = new ArrayList<>(List.of("no point"));
    for (int second = 0; second < 3600; second++) {
      for (String host : hosts) {
        lines.add(metric + " " + (1_704_067_200 + second) + " " + second % 77 + " host=" + host);
      }
    }
    return Files.write(folder.resolve(metric + String.join("", hosts)), lines);
  }

  private static int lastPoints(String metric) throws Exception {
    URI tsd = EmbeddedStoreFixture.shared().tsd(TsdKind.PATCHED).orElseThrow().url();
    URI last = tsd.resolve("/api/query/last?timeseries=" + metric);
    try (InputStream answer = last.toURL().openStream()) {
      return new ObjectMapper().readTree(answer).size();
    }
  }

  private String stage() {
    return stage.toString();
  }

  private JobFolder jobs(String machine) {
    return new JobFolder(folder.resolve(machine));
  }

  private JobFolder.Entry onlyJob(String machine) throws Exception {
    assertEquals(1, jobs(machine).list().jobs().size());
    return jobs(machine).list().jobs().get(0);
  }

  private String id(String machine) throws Exception {
    return onlyJob(machine).manifest().id();
  }

  private static String[] with(List<String> more, String... first) {
    return Stream.concat(Stream.of(first), more.stream()).toArray(String[]::new);
  }

  private void run(ExitCode expected, String machine, String... arguments) {
    StringWriter said = new StringWriter();
    String[] inStore = {"--dir", store, "--jobs-dir", jobs(machine).path().toString()};
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(with(List.of(inStore), arguments));
    lastOutput = said.toString();
    assertEquals(expected.code(), code, String.join(" ", arguments) + ": " + lastOutput);
  }
}
