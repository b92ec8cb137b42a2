package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobHistory;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.hbase.LoaderColumns;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.table.StoreTables;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads killed at random moments, and HBase with them, again and again, and resumed; then every
 * point is read back, and no cell that was stored has changed. Loads of HFiles are killed while
 * they write, when all is written and while HBase takes the files, by what lies in their folder.
 *
 * <p>With {@code -Dpackhorse.kills=20} there are so many kills of each kind of load, {@code
 * -Dpackhorse.seed=N} repeats a run as far as the machine's speed allows.
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

  /** Who dies. */
  private enum Victim {
    LOADER,
    HBASE,
    BOTH
  }

  @BeforeEach
  void startStore() throws Exception {
    store = EmbeddedStoreFixture.shared().store();
  }

  @Test
  void linesKilledAndResumedAreAllThereOnce() throws Exception {
    Path lines = folder.resolve("lines.txt");
    int hours = Math.max(30, 3 * KILLS);
    WalkSpec spec = new WalkSpec("it.kill.lines", 64, 1000, 1_704_067_200, 3600L * hours, 1);
    int extra = write(spec, lines);
    String[] walk = {
      "verify", "--metric", "it.kill.lines", "--sensors", "64", "--span", hours + "h"
    };
    String job =
        killAgainAndAgain(
            growths(spec.totalPoints() / 2),
            List.of(Victim.LOADER),
            ExitCode.REJECTS,
            "load",
            "--threads",
            "2",
            "--checkpoint-interval",
            "100ms",
            "--rate",
            rate(spec),
            String.valueOf(lines.getFileName()));
    run(ExitCode.OK, "job", "show", job);
    assertTrue(
        lastOutput.contains("read " + HumanNumbers.count(spec.totalPoints() + extra) + ", "),
        said());
    assertTrue(lastOutput.contains("rejected 1;"), said());
    run(ExitCode.OK, walk);
    assertLastPoints(spec);
    assertSummariesAgree("it.kill.lines");
    run(ExitCode.OK, "verify", "--job", job);
    run(ExitCode.OK, "verify", "--job", job, "--level", "sample");

    run(ExitCode.PREFLIGHT, "load", lines.toString());
    assertTrue(lastOutput.contains("was loaded by job " + job), said());
    run(ExitCode.PREFLIGHT, "job", "resume", job);
    run(ExitCode.REJECTS, "load", "--replace", job, lines.toString());
    assertEquals(JobState.ROLLED_BACK, history(job).state());
    run(ExitCode.OK, walk);
    assertSummariesAgree("it.kill.lines");
  }

  @Test
  void linesAreAllThereOnceAlsoIfHBaseIsKilled() throws Exception {
    loadLinesWhileHBaseIsKilled("it.kill.both", "--checkpoint-interval", "100ms");
  }

  /** Between a checkpoint and the next one HBase alone has the points, in memory. */
  @Test
  void linesPutWithoutALogAreAllThereOnceIfHBaseIsKilled() throws Exception {
    loadLinesWhileHBaseIsKilled(
        "it.kill.skip", "--durability", "skip", "--checkpoint-interval", "1s");
    assertTrue(Files.readString(log()).contains("resume with: packhorse job resume"));
  }

  /** So slow that a load has not ended before its first kill, on any machine. */
  private static String rate(WalkSpec spec) {
    return Long.toString(spec.totalPoints() / 6);
  }

  /** In a store of its own. */
  private void loadLinesWhileHBaseIsKilled(String metric, String... options) throws Exception {
    store = StoreDirectory.open(folder.resolve("store"));
    try {
      EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
      Path lines = folder.resolve("lines.txt");
      int hours = 3 * KILLS;
      WalkSpec spec = new WalkSpec(metric, 64, 1000, 1_704_067_200, 3600L * hours, 1);
      int extra = write(spec, lines);
      String job =
          killAgainAndAgain(
              growths(spec.totalPoints()),
              List.of(Victim.HBASE, Victim.BOTH),
              ExitCode.REJECTS,
              with(
                  with(options, "--threads", "2", "--rate", rate(spec), lines.toString()), "load"));
      run(ExitCode.OK, "job", "show", job);
      assertTrue(
          lastOutput.contains("read " + HumanNumbers.count(spec.totalPoints() + extra) + ", "),
          said());
      run(ExitCode.OK, "verify", "--metric", metric, "--sensors", "64", "--span", hours + "h");
      run(ExitCode.OK, "verify", "--job", job);
      assertSummariesAgree(metric);
      assertFalse(lastOutput.contains("claim "), said());
      run(ExitCode.OK, "summary", "show");
      assertTrue(lastOutput.contains("\nused "), said());
      run(ExitCode.OK, "summary", "drop", "--yes");
      run(ExitCode.VERIFICATION, "summary", "verify");
      run(ExitCode.OK, "summary", "show");
      assertTrue(lastOutput.contains("\nnot used "), said());
      run(ExitCode.OK, "summary", "build");
      assertTrue(lastOutput.contains("\nused "), said());
      assertSummariesAgree(metric);
      run(ExitCode.OK, "summary", "build");
      assertTrue(lastOutput.contains("nothing to build"), said());
    } finally {
      EmbeddedServer.stop(store);
    }
  }

  @Test
  void generatedPointsKilledAndResumedAreAllThereOnce() throws Exception {
    String[] walk = {"--metric", "it.kill.walk", "--sensors", "32", "--span", 10 * KILLS + "d"};
    String job =
        killAgainAndAgain(
            growths(32 * 86_400L * 10 * KILLS),
            List.of(Victim.LOADER),
            ExitCode.OK,
            with(walk, "loadtest", "fill", "--threads", "2", "--checkpoint-interval", "100ms"));
    run(ExitCode.OK, with(walk, "verify"));
    assertSummariesAgree("it.kill.walk");
    run(ExitCode.OK, "verify", "--job", job, "--level", "counts");

    run(
        ExitCode.OK,
        "loadtest",
        "fill",
        "--metric",
        "it.kill.walk",
        "--sensors",
        "2",
        "--span",
        "1d");
    run(ExitCode.USAGE, "job", "rollback", job);
    run(ExitCode.OK, "job", "rollback", job, "--yes");
    run(ExitCode.OK, "verify", "--metric", "it.kill.walk", "--sensors", "2", "--span", "1d");
    for (JobFolder.Entry entry : jobs().list().jobs()) {
      run(ExitCode.OK, "job", "rollback", entry.manifest().id(), "--yes");
    }
    run(ExitCode.VERIFICATION, with(walk, "verify", "--json"));
    assertTrue(lastOutput.contains("\"rows\":0,"), said());
  }

  @Test
  void hFilesKilledAndResumedAreAllThereOnce() throws Exception {
    for (int load = 0; load * 3 < KILLS; load++) {
      WalkSpec spec =
          new WalkSpec("it.kill.files" + load, 32, 1000, 1_704_067_200, 86_400L * 20, 1);
      String[] walk = {"--metric", spec.metric(), "--sensors", "32", "--span", "20d"};
      HFileProgress progress = new HFileProgress(store.hfiles());
      String job =
          killAgainAndAgain(
              List.of(whileWriting(progress, spec), whenWritten(progress), whileTaken(progress)),
              List.of(Victim.LOADER),
              ExitCode.OK,
              with(walk, "loadtest", "fill", "--sink", "hfiles"));
      run(ExitCode.OK, with(walk, "verify"));
      assertLastPoints(spec);
      assertSummariesAgree(spec.metric());
      run(ExitCode.OK, "verify", "--job", job);
    }
  }

  @Test
  void stagedHFilesAreBulkLoadedOnceHoweverOftenThatIsKilled() throws Exception {
    WalkSpec spec = new WalkSpec("it.kill.stage", 32, 1000, 1_704_067_200, 86_400L * 20, 1);
    String[] walk = {"--metric", spec.metric(), "--sensors", "32", "--span", "20d"};
    Path stages = Files.createDirectory(folder.resolve("stages"));
    String stage = stages.resolve("stage").toString();
    HFileProgress progress = new HFileProgress(stages);
    String job =
        killAgainAndAgain(
            List.of(whileWriting(progress, spec), whenWritten(progress)),
            List.of(Victim.LOADER),
            ExitCode.OK,
            with(walk, "loadtest", "fill", "--sink", "hfiles", "--stage", stage));
    assertEquals(JobState.STAGED, history(job).state());
    run(ExitCode.VERIFICATION, with(walk, "verify"));
    String[] complete = {"hfile", "complete", stage};
    killed = 0;
    while (killed < KILLS) {
      Process loader = start(complete);
      whileTaken(progress).await(loader);
      if (!loader.isAlive()) {
        assertEquals(ExitCode.OK.code(), loader.exitValue(), said() + Files.readString(log()));
        break;
      }
      kill(loader.toHandle());
      loader.waitFor();
      killed++;
      log(Victim.LOADER, job, cells(job).size(), "hfile complete");
    }
    if (Files.exists(Path.of(stage))) {
      run(ExitCode.OK, complete);
    }
    assertEquals(JobState.LOADED, history(job).state());
    run(ExitCode.OK, with(walk, "verify"));
    run(ExitCode.OK, "verify", "--job", job);
    assertLastPoints(spec);
    assertSummariesAgree("it.kill.stage");
    run(ExitCode.PREFLIGHT, complete);
  }

  @Test
  void shardsAtOnceAreAllThereIfSomeAreKilled() throws Exception {
    String[] walk = {"--metric", "it.kill.shards", "--sensors", "32", "--span", "20d"};
    List<Process> shards = new ArrayList<>();
    for (int shard = 1; shard <= 4; shard++) {
      String[] part = {"--job", "four", "--shard", shard + "/4", "--checkpoint-interval", "100ms"};
      // At this rate none ends before two of them are killed, also where much else runs.
      String[] slow = {"--rate", "1500000"};
      shards.add(start(with(with(with(part, slow), walk), "loadtest", "fill")));
    }
    for (int shard = 1; shard <= 2; shard++) {
      Process loader = shards.get(shard);
      awaitBegin(new JobShard(shard + 1, 4), loader);
      awaitGrowth(random.nextLong(5_000_000), loader);
      assertTrue(loader.isAlive(), "it ended before it could be killed, " + said());
      kill(loader.toHandle());
      killed++;
    }
    for (int shard : new int[] {0, 3}) {
      assertEquals(0, shards.get(shard).waitFor(), said() + Files.readString(log()));
    }
    run(ExitCode.OK, "job", "list");
    assertTrue(lastOutput.contains("  2 loaded, 2 unfinished  "), said());
    run(ExitCode.PREFLIGHT, "verify", "--job", "four");
    Map<String, Integer> before = cells("four");
    run(ExitCode.OK, "job", "resume", "four");
    assertUnchanged(before, cells("four"));
    run(ExitCode.PREFLIGHT, "job", "resume", "four");
    run(ExitCode.OK, "verify", "--job", "four");
    run(ExitCode.OK, with(walk, "verify"));
    assertSummariesAgree("it.kill.shards");
    run(ExitCode.OK, "job", "rollback", "four", "--yes", "--shard", "4/4");
    run(ExitCode.OK, "job", "rollback", "four", "--yes");
    run(ExitCode.VERIFICATION, with(walk, "verify", "--json"));
    assertTrue(lastOutput.contains("\"rows\":0,"), said());
  }

  /** No loader of the metric has a claim, else its cells would be left out. */
  private void assertSummariesAgree(String metric) throws Exception {
    run(ExitCode.OK, "summary", "verify", "--metric", metric);
    assertTrue(lastOutput.contains("all agree"), said());
    assertFalse(lastOutput.contains(", 1 metric, "), said());
  }

  /** When a loader that lives that long is killed. */
  private interface Moment {
    void await(Process loader) throws Exception;
  }

  private interface Condition {
    boolean isTrue() throws Exception;
  }

  private static void await(Process loader, Condition condition) throws Exception {
    while (loader.isAlive() && !condition.isTrue()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** As many moments as there are kills, in a load that stores points as it goes. */
  private List<Moment> growths(long points) {
    return Collections.nCopies(
        KILLS,
        loader -> {
          awaitGrowth(random.nextLong(points / KILLS), loader);
          loader.waitFor(random.nextInt(200), TimeUnit.MILLISECONDS);
        });
  }

  /** Anywhere between the first byte of HFiles and nearly the last; a point is about one. */
  private Moment whileWriting(HFileProgress progress, WalkSpec spec) {
    long bytes = random.nextLong(spec.totalPoints() * 3 / 4);
    return loader -> await(loader, () -> progress.bytes() > bytes);
  }

  /** When the HFiles are listed: before or after that is on the ledger. */
  private static Moment whenWritten(HFileProgress progress) {
    return loader -> await(loader, progress::isWritten);
  }

  /** When HBase has taken some of the HFiles. */
  private Moment whileTaken(HFileProgress progress) {
    return loader -> {
      double share = Math.min(0.99, progress.shareTaken() + random.nextDouble(0.5));
      await(loader, () -> progress.shareTaken() > share);
    };
  }

  /** OpenTSDB knows each series, and when its last point was. */
  private static void assertLastPoints(WalkSpec spec) throws Exception {
    URI tsd = EmbeddedStoreFixture.shared().tsd(TsdKind.PATCHED).orElseThrow().url();
    JsonNode points;
    try (InputStream answer =
        tsd.resolve("/api/query/last?timeseries=" + spec.metric()).toURL().openStream()) {
      points = new ObjectMapper().readTree(answer);
    }
    assertEquals(spec.sensors(), points.size(), points.toString());
    points.forEach(
        point -> assertEquals(spec.endSeconds() * 1000 - 1000, point.get("timestamp").asLong()));
  }

  /**
   * Begins a load and kills it, or HBase, resumes and kills again, at each moment or until it ends
   * by itself, then lets it end; its job.
   *
   * @param victims one after the other
   * @param good exit code of the last run
   */
  private String killAgainAndAgain(
      List<Moment> moments, List<Victim> victims, ExitCode good, String... begin) throws Exception {
    String job = "";
    String[] next = begin;
    Map<String, Integer> cells = Map.of();
    boolean offline = List.of(begin).contains("hfiles");
    JobState end = List.of(begin).contains("--stage") ? JobState.STAGED : JobState.LOADED;
    killed = 0;
    for (Moment moment : moments) {
      int loadersBefore = loaders();
      boolean written = killed > 0 && history(job).state() == JobState.STAGED;
      Process loader = start(next);
      // What is written takes no loader ids any more.
      await(loader, () -> written || loaders() > loadersBefore);
      moment.await(loader);
      if (!loader.isAlive()) {
        assertEquals(good.code(), loader.exitValue(), said() + Files.readString(log()));
        break;
      }
      Victim victim = victims.get(killed % victims.size());
      kill(victim, loader, good);
      killed++;
      List<JobFolder.Entry> all = jobs().list().jobs();
      job = all.get(all.size() - 1).manifest().id();
      Map<String, Integer> now = cells(job);
      assertUnchanged(cells, now);
      cells = now;
      JobState state = history(job).state();
      assertTrue(!offline || state != JobState.OPEN || cells.isEmpty(), said());
      log(victim, job, cells.size(), String.join(" ", begin));
      if (state == end) {
        break;
      }
      next = new String[] {"job", "resume", job};
    }
    assertTrue(killed > 0, "it ended before it could be killed once, " + said());
    if (!history(job).state().equals(end)) {
      run(good, "job", "resume", job);
    }
    assertUnchanged(cells, cells(job));
    return job;
  }

  private void log(Victim victim, String job, int cells, String load) throws Exception {
    JobHistory history = history(job);
    String line =
        String.format(
            "seed %d, kill %d, %s, job %s: %,d points before the last checkpoint, %,d cells stored,"
                + " %s%n",
            SEED, killed, victim, history.state(), history.counts().read(), cells, load);
    Files.writeString(
        Path.of("target", "kills.log"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Kills, two in any order, and brings the store back. */
  private void kill(Victim victim, Process loader, ExitCode good) throws Exception {
    List<ProcessHandle> victims = new ArrayList<>();
    if (victim != Victim.HBASE) {
      victims.add(loader.toHandle());
    }
    if (victim != Victim.LOADER) {
      long hbase = EmbeddedServer.current(store).hbase().pid();
      victims.add(random.nextInt(victims.size() + 1), ProcessHandle.of(hbase).orElseThrow());
    }
    victims.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : victims) {
      process.onExit().get(1, TimeUnit.MINUTES);
    }
    int code = loader.waitFor();
    boolean asKilled = victim != Victim.HBASE && code == 128 + 9;
    boolean asWithoutHBase = victim != Victim.LOADER && code == ExitCode.CLUSTER.code();
    boolean hadJustEnded = code == good.code();
    assertTrue(
        asKilled || asWithoutHBase || hadJustEnded, code + ", " + said() + Files.readString(log()));
    if (victim != Victim.LOADER) {
      // The TSD has outlived HBase, and the fixture chooses another port each time.
      EmbeddedServer.stop(store);
      EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    }
  }

  private static void kill(ProcessHandle process) throws Exception {
    assertTrue(process.destroyForcibly());
    process.onExit().get(1, TimeUnit.MINUTES);
  }

  /** Waits until HBase has some more bytes; a point is about one. */
  private void awaitGrowth(long bytes, Process loader) throws Exception {
    long enough = store.hbaseBytes() + bytes;
    // HBase may delete old logs meanwhile, so that the store does not grow.
    long latestNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    while (loader.isAlive() && store.hbaseBytes() < enough && System.nanoTime() - latestNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Waits until a shard has begun to write. */
  private void awaitBegin(JobShard shard, Process loader) throws Exception {
    while (loader.isAlive()
        && jobs().list().jobs().stream()
            .noneMatch(
                entry ->
                    entry.manifest().part().equals(shard)
                        && !entry.history().loaders().isEmpty())) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private JobHistory history(String job) throws Exception {
    return jobs().look(job, JobShard.WHOLE).history();
  }

  /** The cells that a job has stored, by row and column, with a hash of each. */
  private Map<String, Integer> cells(String job) throws Exception {
    Map<String, Integer> cells = new HashMap<>();
    try (Cluster cluster = Cluster.connect(EmbeddedServer.current(store).zookeeperQuorum(), null)) {
      List<LoaderId> loaders = new ArrayList<>();
      for (JobFolder.Entry shard : jobs().shards(job, Optional.empty())) {
        loaders.addAll(shard.history().loaders());
      }
      new LoaderColumns(cluster.connection(), StoreTables.DATA)
          .scan(
              loaders,
              row -> {
                for (StoredColumn column : row.columns()) {
                  cells.put(
                      HexFormat.of().formatHex(row.rowKey())
                          + HexFormat.of().formatHex(column.qualifier()),
                      Arrays.hashCode(column.value()));
                }
              });
    }
    return cells;
  }

  private void assertUnchanged(Map<String, Integer> before, Map<String, Integer> now) {
    before.forEach((cell, hash) -> assertEquals(hash, now.get(cell), () -> cell + ", " + said()));
  }

  /** Loader ids that jobs have taken so far. */
  private int loaders() throws Exception {
    return jobs().list().jobs().stream().mapToInt(job -> job.history().loaders().size()).sum();
  }

  /** A resumed job must not depend on the working folder that it began in. */
  private Process start(String... arguments) throws IOException {
    Path workingFolder = List.of(arguments).contains("resume") ? Path.of("/") : folder;
    return CommandProcess.of(List.of(with(inStore(), arguments)))
        .directory(workingFolder.toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private String[] inStore() {
    return new String[] {
      "--dir",
      store.root().toAbsolutePath().toString(),
      "--jobs-dir",
      folder.resolve("jobs").toString()
    };
  }

  private Path log() {
    return folder.resolve("loader.log");
  }

  private JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
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
          spec.values(series, hour, values[series], 0);
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
            .execute(with(inStore(), arguments));
    lastOutput = said.toString();
    assertEquals(expected.code(), code, said());
  }

  private String said() {
    return "seed " + SEED + ", " + killed + " kills; " + lastOutput;
  }
}
