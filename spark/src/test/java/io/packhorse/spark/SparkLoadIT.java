package io.packhorse.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.load.LoadEngine;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.SpreadLoad;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.sink.hfile.AttemptHFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Loads with two local tasks into the embedded store, beside loads of one process. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class SparkLoadIT {
  private static final int OK = 0;
  private static final int REJECTS = 3;
  private static final int LIMIT = 4;
  private static final int REFUSED = 7;
  private static final long START_SECONDS = 1_704_067_200;

  @TempDir private static Path folder = Path.of("");
  private static @Nullable StoreFixture store;
  private static @Nullable JavaSparkContext spark;
  private final AtomicReference<@Nullable LoadResult> last = new AtomicReference<>();

  @BeforeAll
  static void start() throws Exception {
    store = new StoreFixture(folder.resolve("store"));
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[2,4]")
                .setAppName("packhorse-it")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.local.dir", folder.resolve("spark").toString()));
  }

  @AfterAll
  static void stop() throws Exception {
    try (StoreFixture ending = store;
        JavaSparkContext alsoEnding = spark) {
      // Both end.
    }
  }

  private static StoreFixture store() {
    if (store == null) {
      throw new IllegalStateException("the store did not start");
    }
    return store;
  }

  private static JavaSparkContext spark() {
    if (spark == null) {
      throw new IllegalStateException("Spark did not start");
    }
    return spark;
  }

  @Test
  void cellsRejectsAndCountsAreThoseOfOneProcess() throws Exception {
    String[] files = {
      // The third hour lies in two files.
      lines("a1.txt", "it.spark.a", 0, 900, "it.spark.a 17 broken\n"),
      lines("a2.txt", "it.spark.a", 900, 1800, ""),
      table("b1.csv", "time,temp,humidity\n", 0, 700, "yesterday,1,2\n"),
      table("b2.csv", "time,temp,humidity\n", 700, 1500, ""),
      objects("c.json", 200)
    };
    assertEquals(REJECTS, onOneProcess("one", files));
    LoadResult one = result();
    assertEquals(REJECTS, onSpark("spark", files));
    LoadResult ours = result();

    assertTrue(ours.outcome().counts().balanced(), ours.outcome().toString());
    assertEquals(one.outcome().counts(), ours.outcome().counts());
    assertEquals(one.rejectsByReason(), ours.rejectsByReason());
    assertEquals(one.outcome().times(), ours.outcome().times());
    assertEquals(one.findings().readings().toString(), ours.findings().readings().toString());
    assertEquals(one.firstRejects(), ours.firstRejects());
    assertEquals(rejects("one"), rejects("spark"));
    Map<String, String> cells = store().cells("spark");
    assertEquals(store().cells("one"), cells);
    assertEquals(one.outcome().counts().cells(), cells.size());
    assertNothingIsLeft();
    assertEquals(JobState.LOADED, store().history("spark").state());
    assertEquals(1, store().history("spark").loaders().size());
    assertTrue(query("it.spark.a").contains("\"metric\":\"it.spark.a\""), "series are indexed");
  }

  @Test
  void recordsAreSentInBlocks() {
    int width = 1 << 20;
    SentRecords sent =
        SentRecords.of(
            spark(), width, 10, (index, to) -> to.put(width - 1 + to.position(), (byte) index));
    JavaRDD<Integer> indices = spark().parallelize(List.of(9, 0, 3, 4, 8, 7), 2);
    assertEquals(List.of(9, 0, 3, 4, 8, 7), indices.map(new LastByte(sent, width)).collect());
    sent.destroy();
  }

  /** The last byte of a record. */
  private static final class LastByte implements Function<Integer, Integer> {
    private static final long serialVersionUID = 1;

    private final SentRecords of;
    private final int width;

    LastByte(SentRecords of, int width) {
      this.of = of;
      this.width = width;
    }

    @Override
    public Integer call(Integer index) {
      ByteBuffer record = of.get(index);
      assertEquals(width, record.remaining());
      return (int) record.get(record.position() + width - 1);
    }
  }

  @Test
  void partsOfLargeFilesAreReadLikeTheWholeFiles() throws Exception {
    String[] files = {
      lines("i.txt", "it.spark.i", 0, 55_000, "it.spark.i 17 broken\nit.spark.i 18 broken\n"),
      parquet("i.parquet", 1_000_000)
    };
    assertEquals(REJECTS, onOneProcess("undivided", files));
    LoadResult one = result();
    PartsSeen seen = new PartsSeen();
    spark().sc().addSparkListener(seen);
    assertEquals(REJECTS, onSpark("divided", files));
    assertTrue(seen.tasks() > 6, "tasks that read two files: " + seen.tasks());
    LoadResult ours = result();
    assertEquals(one.outcome().counts(), ours.outcome().counts());
    assertEquals(one.firstRejects(), ours.firstRejects());
    assertEquals(rejects("undivided"), rejects("divided"));
    assertEquals(store().cells("undivided"), store().cells("divided"));
    assertNothingIsLeft();
  }

  @Test
  void nothingBehindTheDamageOfAFileIsLoaded() throws Exception {
    String file = parquet("j.parquet", 1_000_000);
    try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(300_000), channel.size() / 2);
    }
    assertEquals(REJECTS, onOneProcess("damaged", file));
    LoadResult one = result();
    assertTrue(one.outcome().counts().read() < 1_000_000, one.toString());
    assertEquals(REJECTS, onSpark("damaged-divided", file));
    LoadResult ours = result();
    assertEquals(one.outcome().counts(), ours.outcome().counts());
    assertEquals(one.firstRejects(), ours.firstRejects());
    assertEquals(store().cells("damaged"), store().cells("damaged-divided"));
    assertNothingIsLeft();
  }

  @Test
  void tasksThatFailOrRunTwiceChangeNothing() throws Exception {
    String[] files = {
      lines("d1.txt", "it.spark.d", 0, 900, ""), lines("d2.txt", "it.spark.d", 900, 1800, "")
    };
    assertEquals(OK, onOneProcess("calm", files));
    AtomicInteger runs = Failing.runs();
    try (SparkWorkers workers = new SparkWorkers(spark(), Failing::new)) {
      assertEquals(OK, load(new SpreadLoad(workers), "failing", files));
    }
    assertTrue(runs.get() >= 3, "two attempts failed before: " + runs);
    assertEquals(store().cells("calm"), store().cells("failing"));
    assertTrue(result().outcome().counts().balanced());
    assertNothingIsLeft();
  }

  @Test
  void laterPointsReplaceEarlierOnesOfOtherFiles() throws Exception {
    Path first = folder.resolve("e1.txt");
    Path second = folder.resolve("e2.txt");
    Files.writeString(first, point("it.spark.e", 0, 1, "x") + point("it.spark.e", 60, 2, "x"));
    Files.writeString(second, point("it.spark.e", 60, 3, "x") + point("it.spark.e", 30, 4, "x"));
    assertEquals(8, onSpark("replacing", first.toString(), second.toString()));
    LoadResult ours = result();
    assertEquals(4, ours.outcome().counts().read());
    assertEquals(3, ours.outcome().counts().packed());
    assertEquals(1, ours.outcome().counts().replaced());
    assertTrue(ours.outcome().replaced().toString().contains("it.spark.e{host=x,site=oslo}"));
    assertEquals(1, store().cells("replacing").size());
    String points = query("it.spark.e");
    assertTrue(points.contains("\"1704067200\":1,\"1704067230\":4,\"1704067260\":3"), points);
  }

  @Test
  void aSecondSubmitFinishesTheJobOfADriverThatDied() throws Exception {
    String[] files = {
      lines("g1.txt", "it.spark.g", 0, 900, "it.spark.g 17 broken\n"),
      lines("g2.txt", "it.spark.g", 900, 1800, "")
    };
    assertEquals(REJECTS, onOneProcess("undisturbed", files));
    dies("submitted", files);
    assertEquals(REFUSED, onSpark("submitted", files[0]), "another command is not that job's");
    assertEquals(REJECTS, onSpark("submitted", files));
    assertTrue(result().outcome().counts().balanced());
    assertEquals(store().cells("undisturbed"), store().cells("submitted"));
    assertEquals(rejects("undisturbed"), rejects("submitted"));
    assertEquals(JobState.LOADED, store().history("submitted").state());
    assertEquals(2, store().history("submitted").loaders().size());
    assertNothingIsLeft();
  }

  @Test
  void jobResumeFinishesTheJobOfADriverThatDied() throws Exception {
    String[] files = {
      lines("h1.txt", "it.spark.h", 0, 900, ""), lines("h2.txt", "it.spark.h", 900, 1800, "")
    };
    assertEquals(OK, onOneProcess("calmly", files));
    dies("resumed", files);
    JobFolder jobs = new JobFolder(store().server().store().jobs());
    StoreAddress address = StoreAddress.ofEmbedded(new EmbeddedStore(folder.resolve("store")));
    try (Job job = jobs.open("resumed", JobShard.WHOLE)) {
      LoadResult loaded =
          new LoadRunner(address, Announcer.SILENT).resume(job, Optional.empty(), Optional.empty());
      assertTrue(loaded.outcome().counts().balanced());
    }
    assertEquals(store().cells("calmly"), store().cells("resumed"));
    assertEquals(JobState.LOADED, store().history("resumed").state());
    assertNothingIsLeft();
  }

  /** A driver in a process of its own, which dies when the first part is written. */
  private static void dies(String job, String... files) throws Exception {
    ChildJvm.Ended driver =
        ChildJvm.run(DyingDriver.class, folder.resolve(job + ".log"), arguments(job, files));
    assertEquals(DyingDriver.KILLED, driver.code(), driver.said());
    assertEquals(JobState.OPEN, store().history(job).state());
    assertEquals(1, store().history(job).loaders().size());
    assertEquals(Map.of(), store().cells(job));
  }

  @Test
  void tooManyRejectsEndItBeforeAnythingIsWritten() throws Exception {
    String bad = lines("f.txt", "it.spark.f", 0, 10, "not a point\n");
    assertEquals(LIMIT, onSpark("limited", "--max-rejects", "0", bad));
    assertEquals(List.of(), store().history("limited").loaders());
    assertNothingIsLeft();
  }

  /** Fails twice, then writes everything twice; the second result is thrown away. */
  private static final class Failing extends WritePart {
    private static final long serialVersionUID = 1;

    /** Attempts in this JVM; tasks are copies of what the test made. */
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final SentPlan plan;

    Failing(SentPlan plan) {
      super(plan);
      this.plan = plan;
    }

    static AtomicInteger runs() {
      RUNS.set(0);
      return RUNS;
    }

    @Override
    public Iterator<byte[]> call(Iterator<Tuple2<byte[], byte[]>> hours)
        throws IOException, InterruptedException {
      List<Tuple2<byte[], byte[]>> all = new ArrayList<>();
      hours.forEachRemaining(all::add);
      if (!all.isEmpty()) {
        RUNS.incrementAndGet();
        if (TaskContext.get().attemptNumber() < 2) {
          Iterator<Tuple2<byte[], byte[]>> some = all.subList(0, all.size() / 2 + 1).iterator();
          super.call(new FailingIterator(some));
        }
        AttemptHFile twin =
            new AttemptHFile(plan.get().target(), "twin-" + TaskContext.get().taskAttemptId());
        new PartWriter(plan.get(), twin).write(all.iterator());
      }
      return super.call(all.iterator());
    }
  }

  /** How many tasks read inputs. */
  private static final class PartsSeen extends SparkListener {
    private int tasks;

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      String what = submitted.properties().getProperty("spark.job.description", "");
      if (what.startsWith("packhorse: read")) {
        tasks += submitted.stageInfo().numTasks();
      }
    }

    synchronized int tasks() {
      return tasks;
    }
  }

  private record FailingIterator(Iterator<Tuple2<byte[], byte[]>> of)
      implements Iterator<Tuple2<byte[], byte[]>> {
    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Tuple2<byte[], byte[]> next() {
      if (!of.hasNext()) {
        throw new IllegalStateException("the executor's disk has died");
      }
      return of.next();
    }
  }

  private int onSpark(String job, String... words) {
    try (SparkWorkers workers = new SparkWorkers(spark())) {
      return load(new SpreadLoad(workers), job, words);
    }
  }

  private int onOneProcess(String job, String... words) {
    return load(
        (address, request, announcer) -> new LoadRunner(address, announcer).run(request),
        job,
        words);
  }

  private int load(LoadEngine engine, String job, String... words) {
    last.set(null);
    return Packhorse.runLoad(
        (address, request, announcer) -> {
          LoadResult result = engine.run(address, request, announcer);
          last.set(result);
          return result;
        },
        arguments(job, words).toArray(String[]::new));
  }

  private static List<String> arguments(String job, String... words) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "load",
                "--dir",
                folder.resolve("store").toString(),
                "--job",
                job,
                "--threads",
                "1",
                "--add-tag",
                "site=oslo",
                "--allow-duplicate-input"));
    args.addAll(Arrays.asList(words));
    return args;
  }

  private LoadResult result() {
    LoadResult result = last.get();
    if (result == null) {
      throw new IllegalStateException("the load has no result");
    }
    return result;
  }

  private static String rejects(String job) throws IOException {
    return Files.readString(store().server().store().jobs().resolve(job).resolve("rejects.tsv"));
  }

  private static void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(store().server().store().hfiles())) {
      assertEquals(List.of(), left.toList());
    }
  }

  private static String query(String metric) throws Exception {
    URI uri =
        store()
            .server()
            .tsdUrl()
            .resolve(
                "/api/query?start="
                    + START_SECONDS
                    + "&end="
                    + (START_SECONDS + 3599)
                    + "&m=none:"
                    + metric);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    assertFalse(answer.body().isEmpty());
    return answer.body();
  }

  private static String point(String metric, int seconds, int value, String host) {
    return metric + " " + (START_SECONDS + seconds) + " " + value + " host=" + host + "\n";
  }

  /** Ten series, a point every ten seconds. */
  private static String lines(String name, String metric, int from, int to, String more)
      throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      for (int host = 0; host < 10; host++) {
        text.append(point(metric, 10 * i, i * (host + 1) % 977, "h" + host));
      }
    }
    return write(name, text.append(more));
  }

  private static String table(String name, String header, int from, int to, String more)
      throws IOException {
    StringBuilder text = new StringBuilder(header);
    for (int i = from; i < to; i++) {
      text.append(START_SECONDS + 15L * i).append(',').append(20 + i % 7 / 10.0);
      text.append(',').append(40 + i % 11).append('\n');
    }
    return write(name, text.append(more));
  }

  /** A file of ten series in row groups of a MiB. */
  private static String parquet(String name, int rows) throws IOException {
    Path written = folder.resolve(name + ".files");
    SparkSession.builder()
        .getOrCreate()
        .range(0, rows, 1, 1)
        .selectExpr(
            "timestamp_seconds(" + START_SECONDS + " + 10 * (id div 10)) as time",
            "concat('p', id % 10) as host",
            "rand(7) as it_spark_" + name.charAt(0))
        .write()
        .option("parquet.block.size", 1 << 20)
        .parquet(written.toString());
    try (Stream<Path> files = Files.list(written)) {
      Path only =
          files.filter(file -> file.toString().endsWith(".parquet")).findAny().orElseThrow();
      return Files.move(only, folder.resolve(name)).toString();
    }
  }

  private static String objects(String name, int points) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < points; i++) {
      text.append("{\"metric\":\"it.spark.c\",\"timestamp\":")
          .append(START_SECONDS + 60L * i)
          .append(",\"value\":")
          .append(i / 4.0)
          .append(",\"tags\":{\"host\":\"j\"}}\n");
    }
    return write(name, text);
  }

  private static String write(String name, StringBuilder text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
