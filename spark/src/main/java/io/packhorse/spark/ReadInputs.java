package io.packhorse.spark;

import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.SpreadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.util.TaskCompletionListener;

/** The task that reads an input. */
final class ReadInputs implements FlatMapFunction<Iterator<SpreadInput>, byte[]> {
  private static final long serialVersionUID = 1;

  private final String settings;

  /**
   * @param settings of the load, as {@link LoadSettings#text} gives them
   */
  ReadInputs(String settings) {
    this.settings = settings;
  }

  @Override
  public Iterator<byte[]> call(Iterator<SpreadInput> inputs) throws IOException {
    if (!inputs.hasNext()) {
      return Collections.emptyIterator();
    }
    Optional<String> refusal = SparkClassPath.here().refusal();
    if (refusal.isPresent()) {
      throw new IOException("an executor cannot load: " + refusal.get());
    }
    SpreadInput input = inputs.next();
    if (inputs.hasNext()) {
      throw new IllegalStateException("a task must have one input");
    }
    LoadInput.Files files = (LoadInput.Files) LoadSettings.parse(settings).input();
    InputHours hours =
        new InputHours(input, files, tasks(), Files.createTempDirectory(disk(), "packhorse-"));
    TaskCompletionListener close =
        context -> {
          try {
            hours.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    TaskContext.get().addTaskCompletionListener(close);
    return hours;
  }

  /** One of the disks that Spark gives to its tasks, and clears after an executor that died. */
  private static Path disk() {
    String[] disks = SparkEnv.get().blockManager().diskBlockManager().localDirsString();
    return Path.of(disks[(int) (TaskContext.get().taskAttemptId() % disks.length)]);
  }

  /** How many tasks share the memory of this process. */
  private static int tasks() {
    return SparkEnv.get()
        .conf()
        .getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
  }
}
