package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.store.BigtableFixture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that {@code docs/stores.md} says of Bigtable, against its emulator. With {@code
 * -Dpackhorse.bigtable.hours=80} the killed load has 10 million points.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class BigtableIT {
  private static final int HOURS = Integer.getInteger("packhorse.bigtable.hours", 2);
  private static final String SENSORS = "35";

  /** How long the killed load would take. */
  private static final int SECONDS = 8;

  @TempDir private static Path folder = Path.of("");
  private static @Nullable BigtableFixture emulator;

  @BeforeAll
  static void start() throws Exception {
    emulator =
        BigtableFixture.start(folder)
            .orElseGet(() -> abort("Bigtable's emulator runs on Linux on x86 only: not tested"));
    String said = run(ExitCode.OK, "schema", "create");
    assertTrue(said.contains("created table tsdb\n"), said);
  }

  @AfterAll
  static void stop() throws Exception {
    try (BigtableFixture ending = emulator) {
      // It ends.
    }
  }

  @Test
  void whatIsLoadedIsVerifiedExportedRepackedAndRolledBack() throws Exception {
    List<String> lines =
        IntStream.range(0, 2000)
            .mapToObj(
                i -> "it.bt.a " + (1_704_067_200 + 10 * i) + " " + i + ".5 dc=oslo host=h" + i % 3)
            .toList();
    Path file = Files.write(folder.resolve("a.txt"), lines);
    run(ExitCode.OK, "load", file.toString(), "--job", "a");
    run(ExitCode.OK, "verify", "--job", "a");
    assertTrue(run(ExitCode.OK, "summary", "verify").contains("all agree"));
    assertEquals(sorted(lines), exported("all", "--metric", "it.bt.a"));
    assertEquals(
        sorted(lines.stream().filter(line -> line.endsWith("host=h1")).toList()),
        exported("one", "--metric", "it.bt.a", "--where", "host=h1"));

    run(ExitCode.OK, "load", file.toString(), "--job", "b", "--allow-duplicate-input");
    run(ExitCode.OK, "repack", "--metric", "it.bt.a", "--job", "c", "--margin", "0s");
    assertEquals(sorted(lines), exported("repacked", "--metric", "it.bt.a"));
    for (String job : List.of("c", "b", "a")) {
      run(ExitCode.OK, "job", "rollback", "--yes", job);
    }
    assertEquals(List.of(), exported("nothing", "--metric", "it.bt.a"));
    assertTrue(run(ExitCode.OK, "doctor").contains("0 failed"));
    assertTrue(run(ExitCode.OK, "schema", "describe").contains("as it should be"));
  }

  @Test
  void aKilledLoadIsResumed() throws Exception {
    String[] walk = {"--metric", "it.bt.walk", "--sensors", SENSORS, "--span", HOURS + "h"};
    List<String> fill =
        new ArrayList<>(List.of("loadtest", "fill", "--job", "walk", "--checkpoint-interval"));
    long points = Long.parseLong(SENSORS) * HOURS * 3600;
    fill.addAll(List.of("100ms", "--rate", String.valueOf(points / SECONDS)));
    fill.addAll(List.of(walk));
    Process loader = process(fill);
    while (loader.isAlive() && !hasBegun()) {
      loader.waitFor(10, TimeUnit.MILLISECONDS);
    }
    loader.waitFor(SECONDS / 4, TimeUnit.SECONDS);
    loader.destroyForcibly();
    assertEquals(128 + 9, loader.waitFor(), () -> "killed in the middle: " + log());
    assertEquals(JobState.OPEN, jobs().look("walk", JobShard.WHOLE).history().state());

    run(ExitCode.OK, "job", "resume", "walk");
    List<String> verify = new ArrayList<>(List.of("verify"));
    verify.addAll(List.of(walk));
    String said = run(ExitCode.OK, verify.toArray(String[]::new));
    assertTrue(said.contains(HumanNumbers.count(points) + " points equal"), said);
    run(ExitCode.OK, "job", "rollback", "--yes", "walk");
    assertEquals(List.of(), exported("rolled-back", "--metric", "it.bt.walk"));
  }

  @Test
  void whatBigtableLacksIsRefusedBefore() throws Exception {
    Path file = Files.writeString(folder.resolve("refused.txt"), "it.bt.r 1704067200 1 host=a\n");
    Path stage = folder.resolve("stage");
    for (String[] options :
        new String[][] {
          {"--sink", "hfiles"},
          {"--sink", "hfiles", "--stage", stage.toString()},
          {"--durability", "skip"},
          {"--durability", "async"}
        }) {
      List<String> load = new ArrayList<>(List.of("load", file.toString(), "--job", "refused"));
      load.addAll(List.of(options));
      String said = run(ExitCode.PREFLIGHT, load.toArray(String[]::new));
      assertTrue(said.contains("is Bigtable, which "), said);
      assertTrue(
          jobs().list().jobs().stream().noneMatch(job -> job.manifest().id().equals("refused")));
    }
    assertTrue(
        run(ExitCode.PREFLIGHT, "hfile", "complete", stage.toString()).contains("no HFiles"));
    assertFalse(Files.exists(stage));
    assertTrue(run(ExitCode.PREFLIGHT, "doctor", "--codec", "zstd").contains("is told no codec"));
    String said = run(ExitCode.CLUSTER, "schema", "describe", "--zookeeper", "localhost:1");
    assertTrue(said.contains("leave out --zookeeper"), said);
  }

  @Test
  void aMissingClientIsNamed() throws Exception {
    Path conf = BigtableFixture.conf(folder, "other.xml", "com.google.cloud.bigtable.Other", 1);
    String said =
        said(
            ExitCode.CLUSTER,
            List.of(
                "schema", "describe", "--hbase-conf", conf.toString(), "--tsd-conf", tsdConf()));
    assertTrue(said.contains("put bigtable-hbase-2.x-hadoop-VERSION.jar into lib/bigtable"), said);
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  private static List<String> exported(String name, String... wanted) throws Exception {
    Path out = folder.resolve(name);
    List<String> export = new ArrayList<>(List.of("export", "--out", out.toString()));
    export.addAll(List.of(wanted));
    run(ExitCode.OK, export.toArray(String[]::new));
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return sorted(lines);
  }

  private static boolean hasBegun() throws Exception {
    return jobs().list().jobs().stream()
        .anyMatch(job -> job.manifest().id().equals("walk") && !job.history().loaders().isEmpty());
  }

  private static JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
  }

  private static Process process(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.add(Packhorse.class.getName());
    command.addAll(inStore(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("loader.log").toFile())
        .start();
  }

  private static String log() {
    try {
      return Files.readString(folder.resolve("loader.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String run(ExitCode expected, String... command) {
    return said(expected, inStore(List.of(command)));
  }

  private static List<String> inStore(List<String> command) {
    if (emulator == null) {
      throw new IllegalStateException("the emulator did not start");
    }
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(List.of("--hbase-conf", emulator.conf().toString(), "--tsd-conf", tsdConf()));
    if (!List.of("schema", "export", "summary").contains(command.get(0))) {
      arguments.addAll(List.of("--jobs-dir", folder.resolve("jobs").toString()));
    }
    return arguments;
  }

  private static String tsdConf() {
    return folder.resolve("opentsdb.conf").toString();
  }

  private static String said(ExitCode expected, List<String> arguments) {
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(arguments.toArray(String[]::new));
    assertEquals(expected.code(), code, () -> arguments + ": " + said);
    return said.toString();
  }
}
