package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads with little memory, with no room on disk, and cut off by Ctrl-C; real HBase. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ShortOfRoomIT {
  private static final long BASE = 1_704_067_200;
  private static final int BAD = 20_000;

  @TempDir private Path folder = Path.of("");
  private String store = "";
  private String said = "";

  @BeforeEach
  void startStore() throws Exception {
    store = EmbeddedStoreFixture.shared().store().root().toString();
  }

  /**
   * A tenth of a million series, with a tenth of a GiB and half as much again for HBase's client.
   */
  @Test
  void manySeriesWithHoursOfTwelvePointsNeedLittleHeap() throws Exception {
    Path lines = folder.resolve("lines.txt");
    try (BufferedWriter out = Files.newBufferedWriter(lines, StandardCharsets.US_ASCII)) {
      for (int point = 0; point < 12; point++) {
        for (int series = 0; series < 100_000; series++) {
          out.write(line("it.room.wide", BASE + 300L * point, series));
        }
      }
    }
    assertEquals(0, loader(160, 0, "load", lines.toString()).waitFor(), this::log);
    run("verify", "--job", jobs().get(0), "--level", "counts");
    assertTrue(said.contains("1,200,000"), said);
  }

  /** Names alone fill the heap, before the first point: two million series in 64 MiB. */
  @Test
  void moreSeriesThanTheHeapHoldsEndTheLoadWithTheHeapToSet() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("w.yaml"),
            """
            metrics: [it.room.many]
            tags: {host: 2000000, dc: 1}
            interval: 10m
            history: {from: 2025-01-01, span: 1h}
            """);
    String[] fill = {"loadtest", "fill", file.toString(), "--sink", "null"};
    assertEquals(ExitCode.CLUSTER.code(), loader(64, 0, fill).waitFor(), this::log);
    assertTrue(log().contains("MiB is full with "), this::log);
    assertTrue(
        log().contains("an estimate for the 2,000,000 series that all of it would have"),
        this::log);
    assertEquals(0, loader(512, 0, fill).waitFor(), this::log);
  }

  @Test
  void aFullDiskEndsTheLoadAndJobResumeGoesOn() throws Exception {
    Path lines = folder.resolve("shuffled.txt");
    writeShuffled(lines, "it.room.full");
    Process full = loader(64, 1000, "load", "--threads", "1", lines.toString());
    assertEquals(ExitCode.CLUSTER.code(), full.waitFor(), this::log);
    String job = jobs().get(0);
    assertTrue(log().contains("cannot write open hours to "), this::log);
    assertTrue(log().contains("resume with: packhorse job resume " + job), this::log);
    assertEquals(0, loader(64, 0, "job", "resume", job).waitFor(), this::log);
    assertEquals(List.of(), hoursOf(job));
    run("verify", "--job", job, "--level", "full");
  }

  @Test
  void aFullDiskForRejectsIsNoFaultOfTheInput() throws Exception {
    Path lines = folder.resolve("rejects.txt");
    try (BufferedWriter out = Files.newBufferedWriter(lines, StandardCharsets.US_ASCII)) {
      // So many that cells are stored before the first line is rejected.
      for (int point = 0; point < 800; point++) {
        for (int series = 0; series < 1000; series++) {
          out.write(line("it.room.rejects", BASE + 360L * point, series));
        }
      }
      writeWithRejects(out, "it.room.rejects");
    }
    Process full = loader(64, 1000, "load", lines.toString());
    assertEquals(ExitCode.CLUSTER.code(), full.waitFor(), this::log);
    String job = jobs().get(0);
    assertTrue(log().contains("Cannot write the rejects file "), this::log);
    assertTrue(log().contains("resume with: packhorse job resume " + job), this::log);
    assertEquals(ExitCode.REJECTS.code(), loader(64, 0, "job", "resume", job).waitFor(), this::log);
    assertEquals(BAD, rejectsOf(job));
    run("verify", "--job", job, "--level", "full");
  }

  @Test
  void aFullDiskEndsAnExportAndResumeGoesOn() throws Exception {
    String metric = "it.room.export";
    Path lines = folder.resolve("lines.txt");
    try (BufferedWriter out = Files.newBufferedWriter(lines, StandardCharsets.US_ASCII)) {
      for (int point = 0; point < 7200; point++) {
        out.write(line(metric, BASE + 5L * point, 1));
      }
    }
    assertEquals(0, loader(64, 0, "load", lines.toString()).waitFor(), this::log);
    for (String format : List.of("opentsdb", "csv")) {
      Path exported = folder.resolve(format);
      String[] export = {
        "export", "--metric", metric, "--format", format, "--out", exported.toString()
      };
      assertEquals(ExitCode.CLUSTER.code(), loader(64, 100, export).waitFor(), this::log);
      assertTrue(log().contains("cannot write " + exported.resolve("part-0000")), this::log);
      assertTrue(log().contains("Repeat the command with --resume"), this::log);
      List<String> again = new ArrayList<>(List.of(export));
      again.add("--resume");
      assertEquals(0, loader(64, 0, again.toArray(String[]::new)).waitFor(), this::log);
      try (Stream<Path> files = Files.list(exported)) {
        assertTrue(files.noneMatch(file -> file.toString().endsWith(".partial")));
      }
    }
    try (Stream<Path> files = Files.list(folder.resolve("opentsdb"))) {
      List<Path> parts = files.filter(Files::isRegularFile).toList();
      assertEquals(1, parts.size(), parts::toString);
      assertEquals(Files.readAllLines(lines), Files.readAllLines(parts.get(0)));
    }
  }

  @Test
  void aFullDiskBeforeTheFirstCellLeavesNoJob() throws Exception {
    Path lines = folder.resolve("rejects.txt");
    try (BufferedWriter out = Files.newBufferedWriter(lines, StandardCharsets.US_ASCII)) {
      writeWithRejects(out, "it.room.early");
    }
    String[] load = {"load", "--job", "early", lines.toString()};
    assertEquals(ExitCode.CLUSTER.code(), loader(64, 1000, load).waitFor(), this::log);
    assertTrue(log().contains("Cannot write the rejects file "), this::log);
    assertFalse(log().contains("job resume"), this::log);
    assertEquals(List.of(), jobs());
    assertEquals(ExitCode.REJECTS.code(), loader(64, 0, load).waitFor(), this::log);
    assertEquals(BAD, rejectsOf("early"));
    run("verify", "--job", "early", "--level", "full");
  }

  /** Writes {@link #BAD} points of one series in later hours, each after a line without a point. */
  private static void writeWithRejects(BufferedWriter out, String metric) throws IOException {
    for (int i = 0; i < BAD; i++) {
      out.write("no point, but words of some length and a number " + i + "\n");
      out.write(line(metric, BASE + 86_400 * 7 + i, 1));
    }
  }

  private int rejectsOf(String job) throws IOException {
    return Files.readAllLines(folder.resolve("jobs").resolve(job).resolve("rejects.tsv")).size();
  }

  @Test
  void interruptedItMakesACheckpointAndJobResumeGoesOn() throws Exception {
    Path lines = folder.resolve("shuffled.txt");
    writeShuffled(lines, "it.room.cut");
    // At this rate it is not yet done when the first hours are found on disk.
    Process loader = loader(64, 0, "load", "--threads", "1", "--rate", "200000", lines.toString());
    while (loader.isAlive() && hours() == 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertTrue(loader.isAlive(), this::log);
    assertEquals(
        0, new ProcessBuilder("kill", "-INT", Long.toString(loader.pid())).start().waitFor());
    assertEquals(ExitCode.INTERRUPTED.code(), loader.waitFor(), this::log);
    String job = jobs().get(0);
    assertFalse(hoursOf(job).isEmpty(), "what was spilled belongs to the checkpoint");
    run("job", "resume", job);
    assertEquals(List.of(), hoursOf(job));
    run("verify", "--job", job, "--level", "full");
  }

  /** A thousand series of eighty hours, ten points each, in no order at all. */
  private static void writeShuffled(Path file, String metric) throws IOException {
    int series = 1000;
    int hours = 80;
    List<Integer> order = new ArrayList<>(IntStream.range(0, series * hours * 10).boxed().toList());
    Collections.shuffle(order, new Random(5));
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (int number : order) {
        out.write(line(metric, BASE + 360L * (number / series), number % series));
      }
    }
  }

  private static String line(String metric, long time, int series) {
    return metric + " " + time + " " + (time / 7 + series) % 1000 + " host=h" + series + "\n";
  }

  /**
   * @param heapMegabytes of the loader
   * @param fileKilobytesMax of a file it writes; 0 for no limit
   */
  private Process loader(int heapMegabytes, int fileKilobytesMax, String... arguments)
      throws IOException {
    // Tests that are run in the background may have to ignore Ctrl-C, and what they start would,
    // too.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    if (fileKilobytesMax > 0) {
      command.addAll(
          List.of("bash", "-c", "ulimit -f " + fileKilobytesMax + "; exec \"$@\"", "bash"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // As the launcher does.
    for (String options : List.of("jvm.options", "jvm-load.options")) {
      command.add("@" + Path.of(System.getProperty("packhorse.lib", ""), options));
    }
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-Dpackhorse.lib=" + System.getProperty("packhorse.lib"));
    command.add("-cp");
    command.add(Path.of(System.getProperty("packhorse.lib", ""), "loader").resolve("*").toString());
    command.add(Packhorse.class.getName());
    command.addAll(inStore(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private List<String> inStore(String... arguments) {
    return Stream.concat(
            Arrays.stream(arguments),
            Stream.of("--dir", store, "--jobs-dir", folder.resolve("jobs").toString()))
        .toList();
  }

  private void run(String... arguments) {
    StringWriter out = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(inStore(arguments).toArray(String[]::new));
    said = out.toString();
    assertEquals(0, code, said);
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private List<String> jobs() throws Exception {
    return new JobFolder(folder.resolve("jobs"))
        .list().jobs().stream().map(entry -> entry.manifest().id()).toList();
  }

  /** Files of open hours of all jobs. */
  private int hours() throws Exception {
    int hours = 0;
    for (String job : jobs()) {
      hours += hoursOf(job).size();
    }
    return hours;
  }

  private List<Path> hoursOf(String job) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("jobs").resolve(job))) {
      return files.filter(file -> String.valueOf(file.getFileName()).startsWith("hours-")).toList();
    }
  }
}
