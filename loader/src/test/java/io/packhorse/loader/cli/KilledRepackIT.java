package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A repack that is killed at random moments of each of its stages, or its HBase, or both, while a
 * client writes new points into the same hours and another one asks for all of them: no answer is
 * ever without a point, or with another value.
 *
 * <p>{@code -Dpackhorse.kills=50} for so many kills, {@code -Dpackhorse.seed=N} for the same ones.
 */
@Timeout(value = 120, unit = TimeUnit.MINUTES)
final class KilledRepackIT {
  private static final int KILLS = Integer.getInteger("packhorse.kills", 2);
  private static final long SEED = Long.getLong("packhorse.seed", System.nanoTime());

  /** About as long as a stage takes. */
  private static final long STAGE_MS = 7_000;

  private static final String POINTS_A_SECOND = "3000";

  private static final String METRIC = "it.repack.killed";
  private static final long START_MS = MixedRows.START_S * 1000;
  private static final long END_MS = START_MS + MixedRows.HOURS * 3_600_000L;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final HttpClient client = HttpClient.newHttpClient();
  private StoreDirectory store = new StoreDirectory(Path.of(""));
  private final Map<String, Integer> kills = new TreeMap<>();
  private int runs;

  /** Where a kill is to fall: after the folder of this name appears in that of the job. */
  private enum Stage {
    PACK("pack"),
    VERIFY("verify"),
    /** Verifies and deletes in one scan. */
    REPLACE("replace"),
    DELETE("delete");

    private final String folder;

    Stage(String folder) {
      this.folder = folder;
    }

    /** Whether the command that reaches it was asked to delete, too. */
    private boolean deletes() {
      return this == PACK || this == REPLACE;
    }
  }

  /** What is killed. */
  private enum Victim {
    REPACK,
    HBASE,
    BOTH
  }

  @Test
  void everyAnswerIsWhole() throws Exception {
    store = StoreDirectory.open(folder.resolve("store"));
    try {
      EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
      MixedRows rows = new MixedRows(server, new SplittableRandom(SEED));
      load(rows.lines(METRIC, 0, 6), "--sink", "puts");
      load(rows.lines(METRIC, 3, 9), "--sink", "puts", "--cells", "compacted");
      rows.addPlainColumns(METRIC);
      List<Stage> stages = List.of(Stage.REPLACE, Stage.DELETE, Stage.PACK, Stage.VERIFY);
      List<Victim> victims = List.of(Victim.BOTH, Victim.REPACK, Victim.HBASE);
      int killed = 0;
      for (int round = 0; killed < KILLS; round++) {
        Stage stage = stages.get(round % stages.size());
        killed += killOnce(round, stage, victims.get(round % victims.size())) ? 1 : 0;
      }
      System.out.println("killed    " + kills + ", seed " + SEED);
      String said = repackAll();
      assertTrue(said.contains("repacked"), said);
      run(ExitCode.OK, "summary", "verify", "--metric", METRIC);
    } finally {
      run(ExitCode.OK, "server", "stop");
    }
  }

  /**
   * One repack, killed once, with a writer and a reader beside.
   *
   * @return whether it was killed before it ended
   */
  private boolean killOnce(int round, Stage stage, Victim victim) throws Exception {
    Beside beside = new Beside(round);
    Thread writer = new Thread(beside::write, "writer");
    Thread reader = new Thread(beside::read, "reader");
    writer.start();
    reader.start();
    String job = "r" + round;
    if (stage == Stage.DELETE) {
      run(ExitCode.OK, repack(job, false));
    }
    Process repack =
        stage == Stage.DELETE ? start("job", "resume", job) : start(repack(job, stage.deletes()));
    Path begun = store.jobs().resolve(job).resolve(stage.folder).resolve("plan");
    // How long a JVM takes to start says nothing about the stages.
    for (int i = 0; i < 2400 && repack.isAlive() && !Files.exists(begun); i++) {
      TimeUnit.MILLISECONDS.sleep(25);
    }
    long after = random.nextLong(STAGE_MS);
    boolean killed = !repack.waitFor(after, TimeUnit.MILLISECONDS);
    if (killed) {
      kill(repack, victim);
      String where = stage.folder + " of " + victim;
      kills.merge(where, 1, Integer::sum);
      System.out.printf("killed    %s after %d ms, %s%n", where, after, state(job));
    } else {
      System.out.printf("ended     before %d ms of %s%n", after, stage.folder);
    }
    complete(job);
    TimeUnit.SECONDS.sleep(1);
    beside.stop.set(true);
    writer.join();
    reader.join();
    assertEquals("", beside.wrong.get());
    assertTrue(beside.asked.get() > 0);
    // What the writer was told is stored is there, whatever was killed.
    Map<String, Map<Long, Double>> answers = answers(tsd());
    assertEquals("", beside.difference(answers, beside.confirmed()));
    return killed;
  }

  private static String[] repack(String job, boolean delete) {
    List<String> words = new ArrayList<>(List.of("repack", "--metric", METRIC, "--job", job));
    words.addAll(List.of("--margin", "0s", "--query-timeout", "1s", "--rate", POINTS_A_SECOND));
    if (delete) {
      words.add("--delete");
    }
    return words.toArray(String[]::new);
  }

  private void kill(Process repack, Victim victim) throws Exception {
    if (victim == Victim.HBASE) {
      endHBase();
      // It sees its calls fail, and may end by itself.
      repack.waitFor(3, TimeUnit.SECONDS);
    }
    repack.destroyForcibly().waitFor();
    if (victim == Victim.BOTH) {
      endHBase();
    }
    if (victim != Victim.REPACK) {
      // The TSD has outlived HBase, and the fixture chooses another port each time.
      EmbeddedServer.stop(store);
      EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    }
  }

  /** Resumes a job until its old columns are deleted. */
  private void complete(String job) throws Exception {
    // The first may end with what is verified.
    for (int i = 0; i < 2 && !state(job).equals("repacked"); i++) {
      StringWriter resumed = new StringWriter();
      int code = execute(resumed, "job", "resume", job);
      if (code == ExitCode.PREFLIGHT.code() && resumed.toString().contains("has packed nothing")) {
        run(ExitCode.OK, "job", "delete", job, "--force", "--yes");
        return;
      }
      assertEquals(ExitCode.OK.code(), code, resumed.toString());
    }
    assertEquals("repacked", state(job));
  }

  private String repackAll() throws Exception {
    StringWriter said = new StringWriter();
    int code =
        execute(
            said,
            "repack",
            "--metric",
            METRIC,
            "--margin",
            "0s",
            "--query-timeout",
            "0s",
            "--delete",
            "--json");
    assertEquals(ExitCode.OK.code(), code, said.toString());
    return said.toString();
  }

  private String state(String job) throws Exception {
    StringWriter said = new StringWriter();
    return execute(said, "job", "show", job) == 0 ? said.toString().split(", ", -1)[1] : "none";
  }

  /** What runs beside a repack. */
  private final class Beside {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<String> wrong = new AtomicReference<>("");
    private final SplittableRandom points;

    /** Of all series, as the TSD answered before, and then what it has confirmed. */
    private final Map<String, Map<Long, Double>> known = new ConcurrentHashMap<>();

    /** Times that a put may or may not have stored, because it was not answered. */
    private final Map<String, Map<Long, Double>> unsure = new ConcurrentHashMap<>();

    Beside(int round) throws Exception {
      points = new SplittableRandom(SEED + round);
      answers(tsd()).forEach((series, of) -> known.put(series, new ConcurrentHashMap<>(of)));
    }

    private Map<String, Map<Long, Double>> confirmed() {
      Map<String, Map<Long, Double>> copy = new TreeMap<>();
      known.forEach((series, of) -> copy.put(series, new TreeMap<>(of)));
      return copy;
    }

    void write() {
      List<String> series = new ArrayList<>(new TreeMap<>(known).keySet());
      while (!stop.get()) {
        String to = series.get(points.nextInt(series.size()));
        long time = START_MS + points.nextLong(END_MS - START_MS);
        double value = points.nextInt(1_000_000);
        unsure.computeIfAbsent(to, none -> new ConcurrentHashMap<>()).put(time, value);
        try {
          if (put(to, time, value)) {
            known.computeIfAbsent(to, none -> new ConcurrentHashMap<>()).put(time, value);
          }
          TimeUnit.MILLISECONDS.sleep(5);
        } catch (IOException away) {
          // HBase or the TSD was killed; the point may be there or not.
        } catch (InterruptedException e) {
          return;
        } catch (Exception e) {
          wrong.compareAndSet("", "writer: " + e);
          return;
        }
      }
    }

    void read() {
      while (!stop.get() && wrong.get().isEmpty()) {
        Map<String, Map<Long, Double>> before = confirmed();
        try {
          Map<String, Map<Long, Double>> answers = answers(tsd());
          asked.incrementAndGet();
          wrong.compareAndSet("", difference(answers, before));
        } catch (IOException away) {
          // As above: no answer is no wrong answer.
        } catch (InterruptedException e) {
          return;
        } catch (Exception e) {
          wrong.compareAndSet("", "reader: " + e);
        }
      }
    }

    /** What an answer lacks of what was confirmed before, or has beyond; empty if nothing. */
    private String difference(
        Map<String, Map<Long, Double>> answers, Map<String, Map<Long, Double>> expected) {
      for (Map.Entry<String, Map<Long, Double>> series : expected.entrySet()) {
        Map<Long, Double> found = answers.getOrDefault(series.getKey(), Map.of());
        Map<Long, Double> maybe = unsure.getOrDefault(series.getKey(), Map.of());
        for (Map.Entry<Long, Double> point : series.getValue().entrySet()) {
          Double value = found.get(point.getKey());
          if (!point.getValue().equals(value)
              && (value == null || !value.equals(maybe.get(point.getKey())))) {
            return series.getKey() + " " + point + ", found " + value;
          }
        }
        for (Map.Entry<Long, Double> point : found.entrySet()) {
          if (!series.getValue().containsKey(point.getKey())
              && !maybe.containsKey(point.getKey())) {
            return series.getKey() + " has " + point + " that nobody wrote";
          }
        }
      }
      return "";
    }
  }

  private boolean put(String series, long time, double value) throws Exception {
    StringBuilder tags = new StringBuilder();
    for (String tag : series.substring(1, series.length() - 1).split(", ", -1)) {
      tags.append(tags.length() == 0 ? "" : ",")
          .append('"')
          .append(tag.replace("=", "\":\""))
          .append('"');
    }
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(tsd().resolve("/api/put?sync&sync_timeout=5000"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{%s}}"
                            .formatted(METRIC, time, value, tags)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() / 100 == 2;
  }

  private URI tsd() throws IOException {
    return EmbeddedServer.current(store)
        .tsd(TsdKind.PATCHED)
        .orElseThrow(() -> new IOException("the TSD is being started"))
        .url();
  }

  private void endHBase() throws Exception {
    ProcessHandle hbase =
        ProcessHandle.of(EmbeddedServer.current(store).hbase().pid()).orElseThrow();
    hbase.destroyForcibly();
    hbase.onExit().get(1, TimeUnit.MINUTES);
  }

  private Process start(String... arguments) throws IOException {
    return CommandProcess.of(inStore(arguments))
        .redirectOutput(folder.resolve("repack.log").toFile())
        .start();
  }

  private int execute(StringWriter said, String... arguments) {
    PrintWriter out = new PrintWriter(said);
    return Packhorse.commandLine()
        .setOut(out)
        .setErr(out)
        .execute(inStore(arguments).toArray(String[]::new));
  }

  private List<String> inStore(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", store.root().toAbsolutePath().toString()));
    return all;
  }

  private static Map<String, Map<Long, Double>> answers(URI tsd) throws Exception {
    TsdClient client = new TsdClient(tsd);
    Map<String, Map<Long, Double>> answers = new TreeMap<>();
    for (TsdClient.Series series : client.parse(client.raw(START_MS, END_MS, "none:" + METRIC))) {
      answers.put(new TreeMap<>(series.tags()).toString(), new TreeMap<>(series.points()));
    }
    return answers;
  }

  private void load(List<String> lines, String... options) throws Exception {
    Path file = Files.write(folder.resolve("lines" + runs++ + ".txt"), lines);
    List<String> all = new ArrayList<>(List.of("load", "--max-rejects", "0"));
    all.addAll(List.of(options));
    all.add(file.toString());
    StringWriter said = new StringWriter();
    int code = execute(said, all.toArray(String[]::new));
    assertTrue(code == 0 || code == ExitCode.REPLACED.code(), said.toString());
  }

  private void run(ExitCode expected, String... arguments) throws Exception {
    StringWriter said = new StringWriter();
    assertEquals(expected.code(), execute(said, arguments), said.toString());
  }
}
