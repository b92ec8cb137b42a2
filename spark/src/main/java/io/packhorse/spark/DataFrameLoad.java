package io.packhorse.spark;

import io.packhorse.loader.cli.Packhorse;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.SpreadLoad;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows of a DataFrame, for applications in Scala, Java or Python.
 *
 * <p>The rows are first written as Parquet files, which are then loaded as any other files are. So
 * a row does not change when Spark computes it a second time, each rejected row has a place to look
 * at, and the job of a driver that died can be finished.
 */
public final class DataFrameLoad {
  private static final int OK = 0;
  private static final int REJECTS = 3;
  static final int REFUSED = 7;
  private static final int REPLACED = 8;

  private DataFrameLoad() {}

  /**
   * Loads the rows.
   *
   * <p>A wide table has a column for the time, columns of values, and columns of text for tags;
   * their roles are guessed or stated as those of a Parquet file. In place of the columns for tags
   * there can be one, {@code tags}, of maps from text to text; then columns {@code metric}, {@code
   * time} or {@code timestamp}, and {@code value} hold what their names say.
   *
   * @param rows are computed once, or twice if they have a column of maps
   * @param job its name. If a driver died in it, the same call finishes it: with the files that
   *     were written then, not with these rows
   * @param folder for the files, on a file system that the driver and all executors see under the
   *     same path; they are written into a folder named like the job, which stays, because {@code
   *     packhorse verify} reads it
   * @param options those of {@code packhorse load} on Spark, each word an element
   * @return what was loaded, also if rows were rejected or points replaced others
   * @throws DataFrameLoadException if it was refused or stopped; the message says what is in the
   *     store and what to do
   */
  public static DataFrameLoaded load(
      Dataset<Row> rows, String job, String folder, List<String> options) {
    Optional<String> refusal =
        SparkClassPath.here().refusal().or(() -> apart(SparkSession.class.getClassLoader()));
    if (refusal.isPresent()) {
      throw new DataFrameLoadException(
          REFUSED, "Refused before anything was read: " + refusal.get() + ".");
    }
    try {
      RowFiles files = RowFiles.write(rows, job, Path.of(folder), options);
      JavaSparkContext spark =
          JavaSparkContext.fromSparkContext(rows.sparkSession().sparkContext());
      return load(spark, files, job, options);
    } catch (IOException e) {
      throw new DataFrameLoadException(
          REFUSED, "The rows cannot be written to " + folder + ": " + e, e);
    }
  }

  /**
   * Why Spark cannot write files in this process: it meets classes of Hadoop that it has not
   * loaded.
   *
   * @param sparks loader of Spark's classes
   */
  static Optional<String> apart(ClassLoader sparks) {
    try {
      if (sparks.loadClass(FileSystem.class.getName()) == FileSystem.class) {
        return Optional.empty();
      }
    } catch (ClassNotFoundException e) {
      // Then they do not share it either.
    }
    return Optional.of(
        "Hadoop comes from Spark's own jars and from ours, with which Spark cannot write a DataFrame;"
            + " in place of userClassPathFirst put our jars before Spark's, with"
            + " spark.driver.extraClassPath and spark.executor.extraClassPath, as docs/spark.md says");
  }

  private static DataFrameLoaded load(
      JavaSparkContext spark, RowFiles files, String job, List<String> options) {
    List<String> args = new ArrayList<>(List.of("load", files.folder().toString(), "--job", job));
    files.mapping().ifPresent(mapping -> args.addAll(List.of("--mapping", mapping.toString())));
    args.addAll(options);
    StringWriter said = new StringWriter();
    AtomicReference<@Nullable LoadResult> result = new AtomicReference<>();
    int code;
    try (SparkWorkers workers = new SparkWorkers(spark)) {
      SpreadLoad engine = new SpreadLoad(workers);
      code =
          Packhorse.runLoad(
              (store, request, announcer) -> {
                LoadResult done = engine.run(store, request, announcer);
                result.set(done);
                return done;
              },
              new PrintWriter(said, true),
              args.toArray(String[]::new));
    }
    System.err.print(said);
    LoadResult done = result.get();
    if (done == null || (code != OK && code != REJECTS && code != REPLACED)) {
      throw new DataFrameLoadException(code, said.toString().strip());
    }
    return new DataFrameLoaded(code, job, files.folder(), done);
  }
}
