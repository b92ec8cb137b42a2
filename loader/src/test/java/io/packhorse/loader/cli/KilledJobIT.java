package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.source.WalkSpec;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads killed at random moments, again and again, and resumed; then every point is read back. With
 * {@code -Dpackhorse.kills=20} each load is killed so often, {@code -Dpackhorse.seed=N} repeats a
 * run as far as the machine's speed allows.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class KilledJobIT {
  private static final int KILLS = Integer.getInteger("packhorse.kills", 3);
  private static final long SEED = Long.getLong("packhorse.seed", System.nanoTime());

  @TempDir private Path folder = Path.of("");
  private StoreDirectory store = new StoreDirectory(Path.of(""));
  private final SplittableRandom random = new SplittableRandom(SEED);
  private String lastOutput = "";
  private int killed;

  @BeforeEach
  void startStore() throws Exception {
    store = StoreDirectory.open(folder.resolve("store"));
    EmbeddedServer unused = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
  }

  @AfterEach
  void stopStore() throws Exception {
    int unused = EmbeddedServer.stop(store);
  }

  @Test
  void linesKilledAndResumedAreAllThereOnce() throws Exception {
    Path lines = folder.resolve("lines.txt");
    WalkSpec spec = new WalkSpec("it.kill", 64, 1000, 1_704_067_200, 12 * 3600, 1);
    int extra = write(spec, lines);
    String job = killAgainAndAgain("load", "--checkpoint-interval", "100ms", lines.toString());
    run(ExitCode.REJECTS, "job", "resume", job);
    assertTrue(
        lastOutput.contains("read " + Figures.count(spec.totalPoints() + extra) + " = "), said());
    assertTrue(lastOutput.contains("rejected 1;"), said());
    run(ExitCode.OK, "verify", "--metric", "it.kill", "--sensors", "64", "--span", "12h");

    run(ExitCode.PREFLIGHT, "load", lines.toString());
    assertTrue(lastOutput.contains("was loaded by job " + job), said());
    run(ExitCode.PREFLIGHT, "job", "resume", job);
    run(ExitCode.REJECTS, "load", "--replace", job, lines.toString());
    assertEquals(JobState.ROLLED_BACK, state(job));
    run(ExitCode.OK, "verify", "--metric", "it.kill", "--sensors", "64", "--span", "12h");
  }

  @Test
  void generatedPointsKilledAndResumedAreAllThereOnce() throws Exception {
    String[] walk = {"--metric", "it.kill", "--sensors", "32", "--span", "60d"};
    String job = killAgainAndAgain(with(walk, "loadtest", "run", "--checkpoint-interval", "100ms"));
    run(ExitCode.OK, "job", "resume", job);
    run(ExitCode.OK, with(walk, "verify"));

    run(ExitCode.OK, with(walk, "loadtest", "run", "--seed", "1"));
    run(ExitCode.USAGE, "job", "rollback", job);
    run(ExitCode.OK, "job", "rollback", job, "--yes");
    run(ExitCode.OK, with(walk, "verify", "--json"));
    assertTrue(lastOutput.contains("\"passed\":true"), said());
    for (JobFolder.Entry entry : jobs().list()) {
      run(ExitCode.OK, "job", "rollback", entry.manifest().id(), "--yes");
    }
    run(ExitCode.VERIFICATION, with(walk, "verify", "--json"));
    assertTrue(lastOutput.contains("\"rows\":0,"), said());
  }

  /** Begins a load and kills it, then resumes and kills it, as often as is wanted; its job. */
  private String killAgainAndAgain(String... begin) throws Exception {
    String job = "";
    String[] next = begin;
    for (killed = 0; killed < KILLS; killed++) {
      Process loader = start(next);
      if (loader.waitFor(300 + random.nextInt(4_000), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "ended by itself with exit code "
                + loader.exitValue()
                + ", make it longer if that is 0 or 3; seed "
                + SEED
                + ": "
                + Files.readString(log()));
      }
      assertEquals(128 + 9, loader.destroyForcibly().waitFor(), "seed " + SEED);
      List<JobFolder.Entry> jobs = jobs().list();
      if (!jobs.isEmpty()) {
        job = jobs.get(0).manifest().id();
        next = new String[] {"job", "resume", job};
      }
    }
    assertTrue(!job.isEmpty(), "no job was begun before the last kill; seed " + SEED);
    return job;
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dpackhorse.lib=" + System.getProperty("packhorse.lib"));
    command.add("-cp");
    command.add(Path.of(System.getProperty("packhorse.lib", ""), "loader").resolve("*").toString());
    command.add(Packhorse.class.getName());
    command.addAll(List.of(arguments));
    command.addAll(List.of("--dir", store.root().toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private Path log() {
    return folder.resolve("loader.log");
  }

  private JobFolder jobs() {
    return new JobFolder(store.jobs());
  }

  private JobState state(String job) throws Exception {
    return jobs().look(job).history().state();
  }

  /**
   * Writes a walk as import lines, time after time, with some disorder, one line that is no point,
   * and some points twice, the wrong one first.
   *
   * @return lines besides the points of the walk
   */
  private static int write(WalkSpec spec, Path file) throws IOException {
    int extra = 1;
    Random order = new Random(3);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      out.write("no point\n");
      for (int hour = 0; hour < spec.hours(); hour++) {
        long[][] values = new long[spec.sensors()][spec.pointsPerHour()];
        for (int series = 0; series < spec.sensors(); series++) {
          int unused = spec.values(series, hour, values[series], 0);
        }
        for (int second = 0; second < 3600; second += 4) {
          List<String> lines = new ArrayList<>();
          for (int i = second; i < second + 4; i++) {
            for (int series = 0; series < spec.sensors(); series++) {
              lines.add(line(spec, hour, i, series, values[series][i]));
            }
          }
          Collections.shuffle(lines, order);
          if (second % 600 == 0) {
            out.write(line(spec, hour, second, 5, -1));
            extra++;
          }
          for (String line : lines) {
            out.write(line);
          }
        }
      }
    }
    return extra;
  }

  private static String line(WalkSpec spec, int hour, int second, int series, long value) {
    return spec.metric()
        + " "
        + (spec.baseSeconds(hour) + second)
        + " "
        + value
        + " sensor="
        + WalkSpec.sensorName(series)
        + "\n";
  }

  private static String[] with(String[] more, String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void run(ExitCode expected, String... arguments) {
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(with(new String[] {"--dir", store.root().toString()}, arguments));
    lastOutput = said.toString();
    assertEquals(expected.code(), code, said());
  }

  private String said() {
    return "seed " + SEED + ", " + killed + " kills: " + lastOutput;
  }
}
