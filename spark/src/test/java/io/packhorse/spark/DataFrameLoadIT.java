package io.packhorse.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.LoadRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DataFrames, loaded with two local tasks, beside loads of the same points by one process. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class DataFrameLoadIT {
  private static final int OK = 0;
  private static final int USAGE = 2;
  private static final int REJECTS = 3;
  private static final int REFUSED = 7;

  @TempDir private static Path folder = Path.of("");
  private static @Nullable StoreFixture store;
  private static @Nullable SparkSession spark;

  @BeforeAll
  static void start() throws Exception {
    store = new StoreFixture(folder.resolve("store"));
    spark =
        SparkSession.builder()
            .config(DyingFrameDriver.conf())
            .config("spark.local.dir", folder.resolve("spark").toString())
            .getOrCreate();
  }

  @AfterAll
  static void stop() throws Exception {
    try (StoreFixture ending = store;
        SparkSession alsoEnding = spark) {
      // Both end.
    }
  }

  private static StoreFixture store() {
    if (store == null) {
      throw new IllegalStateException("the store did not start");
    }
    return store;
  }

  private static SparkSession spark() {
    if (spark == null) {
      throw new IllegalStateException("Spark did not start");
    }
    return spark;
  }

  @Test
  void longRowsBecomeTheCellsOfTheSamePoints() throws Exception {
    onOneProcess("lines", Frames.lines());
    DataFrameLoaded loaded = load(Frames.points(spark()), "rows");
    assertEquals(OK, loaded.exitCode());
    assertEquals(10_800, loaded.stored());
    assertEquals(0, loaded.rejected());
    assertEquals("", loaded.rejectsFile());
    assertTrue(loaded.json().contains("\"job\":\"rows\""), loaded.json());
    assertEquals(store().cells("lines"), store().cells("rows"));
    assertEquals(JobState.LOADED, store().history("rows").state());
    assertEquals(REFUSED, refused(Frames.points(spark()), "rows").exitCode(), "it is loaded");
  }

  @Test
  void aWideTableIsReadByTheOptionsOfLoad() throws Exception {
    onOneProcess("wide-lines", Frames.wideLines(3));
    Path mapping = folder.resolve("wide.json");
    Files.writeString(
        mapping,
        "{\"columns\":[{\"name\":\"v0\",\"role\":\"value\",\"as\":\"w.0\"},"
            + "{\"name\":\"v1\",\"role\":\"value\",\"as\":\"w.1\"},"
            + "{\"name\":\"v2\",\"role\":\"value\",\"as\":\"w.2\"}]}");
    DataFrameLoaded loaded = load(Frames.wide(spark(), 3), "wide", "--mapping", mapping.toString());
    assertEquals(3240, loaded.stored());
    assertEquals(store().cells("wide-lines"), store().cells("wide"));
  }

  @Test
  void aRowThatIsNoPointIsRejectedWithItsPlace() throws Exception {
    List<Row> rows = new ArrayList<>(Frames.rows().subList(0, 100));
    rows.add(17, Frames.row("h5", 1_000, Double.NaN));
    rows.add(RowFactory.create("it.frame", Map.of(), Frames.rows().get(0).get(2), 1.0));
    Dataset<Row> frame = spark().createDataFrame(rows, Frames.longSchema()).coalesce(1);
    DataFrameLoaded loaded = load(frame, "bad-rows");
    assertEquals(REJECTS, loaded.exitCode());
    assertEquals(100, loaded.stored());
    assertEquals(2, loaded.rejected());
    List<String> rejects = Files.readAllLines(Path.of(loaded.rejectsFile()));
    assertEquals(2, rejects.size(), rejects.toString());
    String[] first = rejects.get(0).split("\\t", -1);
    assertTrue(first[0].startsWith(loaded.files().toString()), first[0]);
    assertTrue(Files.exists(Path.of(first[0])), first[0]);
    assertEquals("18", first[1]);
    assertTrue(first[3].contains("NaN"), first[3]);
    assertEquals("102", rejects.get(1).split("\\t", -1)[1]);
  }

  @Test
  void theSameCallFinishesTheJobOfADriverThatDied() throws Exception {
    onOneProcess("calm-lines", Frames.lines());
    dies("dying-rows");
    assertEquals(JobState.OPEN, store().history("dying-rows").state());
    assertEquals(Map.of(), store().cells("dying-rows"));
    // Of these rows only the columns count: the files of the first call are loaded.
    Dataset<Row> none = spark().createDataFrame(List.of(), Frames.longSchema());
    DataFrameLoaded loaded = load(none, "dying-rows");
    assertEquals(10_800, loaded.stored());
    assertEquals(store().cells("calm-lines"), store().cells("dying-rows"));
    assertEquals(JobState.LOADED, store().history("dying-rows").state());
    try (Stream<Path> left = Files.list(store().server().store().hfiles())) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void whatCannotBeLoadedIsRefusedBeforehand() throws Exception {
    Dataset<Row> points = Frames.points(spark());
    assertTrue(said(refused(points, "../up")).contains("does not name a job"));
    assertFalse(Files.exists(folder.resolve("up")));
    assertTrue(said(refused(points, "a-job", "--job", "b")).contains("--job"));
    assertTrue(said(refused(points, "mapped", "--mapping", "m.json")).contains("--mapping"));

    Dataset<Row> untagged =
        spark()
            .createDataFrame(
                List.of(RowFactory.create("it.frame", Map.of(), Frames.rows().get(0).get(2), 1.0)),
                Frames.longSchema());
    assertTrue(said(refused(untagged, "untagged")).contains("at least one"));

    DataFrameLoadException option = refused(points, "optional", "--sink", "puts");
    assertEquals(USAGE, option.exitCode());
    assertTrue(said(option).contains("--sink"), said(option));
    StructType other = Frames.longSchema().add("more", "double");
    Dataset<Row> others = spark().createDataFrame(List.of(), other);
    DataFrameLoadException columns = refused(others, "optional");
    assertEquals(REFUSED, columns.exitCode());
    assertTrue(said(columns).contains("these columns"), said(columns));
  }

  private static void dies(String job) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(job, folder.resolve("frames").toString()));
    arguments.addAll(options());
    ChildJvm.Ended driver =
        ChildJvm.run(DyingFrameDriver.class, folder.resolve(job + ".log"), arguments);
    assertEquals(DyingDriver.KILLED, driver.code(), driver.said());
  }

  private static DataFrameLoaded load(Dataset<Row> rows, String job, String... more)
      throws IOException {
    List<String> options = new ArrayList<>(options());
    options.addAll(Arrays.asList(more));
    Path frames = Files.createDirectories(folder.resolve("frames"));
    return DataFrameLoad.load(rows, job, frames.toString(), options);
  }

  private static DataFrameLoadException refused(Dataset<Row> rows, String job, String... more) {
    return assertThrows(DataFrameLoadException.class, () -> load(rows, job, more));
  }

  private static String said(DataFrameLoadException refusal) {
    return String.valueOf(refusal.getMessage());
  }

  private static List<String> options() {
    return List.of("--dir", folder.resolve("store").toString(), "--allow-duplicate-input");
  }

  private static void onOneProcess(String job, String lines) throws IOException {
    Path file = Files.writeString(folder.resolve(job + ".txt"), lines);
    List<String> args =
        new ArrayList<>(List.of("load", file.toString(), "--job", job, "--threads", "1"));
    args.addAll(options());
    assertEquals(
        OK,
        Packhorse.runLoad(
            (address, request, announcer) -> new LoadRunner(address, announcer).run(request),
            args.toArray(String[]::new)));
  }
}
