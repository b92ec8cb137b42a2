package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exports that are killed at random moments and resumed, until one ends: the files are those of an
 * export that was not killed.
 *
 * <p>{@code -Dpackhorse.kills=30} for so many kills of each kind of files, {@code
 * -Dpackhorse.seed=N} for the same moments.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class KilledExportIT {
  private static final int KILLS = Integer.getInteger("packhorse.kills", 1);
  private static final long SEED = Long.getLong("packhorse.seed", System.nanoTime());
  private static final String METRIC = "it.export.killed";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private int killed;
  private int ended;

  @Test
  void filesAreThoseOfAnExportThatWasNotKilled() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    List<String> inStore = List.of("--dir", server.store().root().toString());
    List<String> fill = new ArrayList<>(List.of("loadtest", "fill", "--metric", METRIC));
    fill.addAll(List.of("--sensors", "16", "--span", "3d", "--sink", "hfiles"));
    fill.addAll(inStore);
    execute(fill);
    for (List<String> form :
        List.of(
            List.of("--format", "opentsdb"),
            List.of("--format", "parquet", "--hive"),
            List.of("--format", "csv-wide"))) {
      Path whole = folder.resolve("whole" + String.join("", form));
      List<String> export = new ArrayList<>(List.of("export", "--metric", METRIC));
      export.addAll(form);
      export.addAll(inStore);
      long begun = System.nanoTime();
      execute(with(export, "--out", whole.toString()));
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      Map<String, String> expected = files(whole);
      assertTrue(expected.size() > 1, expected.toString());
      killed = 0;
      ended = 0;
      for (int round = 0; killed < KILLS; round++) {
        Path out = folder.resolve("killed" + round + String.join("", form));
        killAndResume(export, out, took);
        assertEquals(expected, files(out));
        delete(out);
      }
      System.out.printf(
          "killed    %d exports of %s, %d ended before, seed %d%n", killed, form, ended, SEED);
    }
  }

  /** One export, killed and resumed until it ends. */
  private void killAndResume(List<String> export, Path out, long tookMs) throws Exception {
    List<String> to = with(export, "--out", out.toString());
    Process process = start(to);
    while (true) {
      // How long a JVM takes to start says nothing about the export.
      Path plan = out.resolve(".packhorse-export").resolve("plan");
      while (process.isAlive() && !Files.exists(plan)) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      if (process.waitFor(random.nextLong(tookMs + 1), TimeUnit.MILLISECONDS)) {
        assertEquals(0, process.exitValue(), Files.readString(folder.resolve("export.log")));
        ended++;
        return;
      }
      process.destroyForcibly().waitFor();
      killed++;
      if (killed >= KILLS) {
        execute(with(to, "--resume"));
        return;
      }
      process = start(with(to, "--resume"));
    }
  }

  private static List<String> with(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all;
  }

  private static void execute(List<String> words) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code =
        Packhorse.commandLine().setOut(out).setErr(out).execute(words.toArray(String[]::new));
    assertEquals(0, code, said.toString());
  }

  private Process start(List<String> words) throws IOException {
    return CommandProcess.of(words).redirectOutput(folder.resolve("export.log").toFile()).start();
  }

  /** Digests of all files but the export's own record. */
  private static Map<String, String> files(Path directory) throws Exception {
    Map<String, String> digests = new TreeMap<>();
    for (Path file : filesOf(directory)) {
      if (!file.toString().contains(".packhorse-export")) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(Files.readAllBytes(file));
        digests.put(
            directory.relativize(file).toString(), HexFormat.of().formatHex(digest.digest()));
      }
    }
    return digests;
  }

  private static void delete(Path directory) throws IOException {
    for (Path file : filesOf(directory)) {
      Files.delete(file);
    }
  }

  private static List<Path> filesOf(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
