package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The log in a job's folder: a line for each event, with its time. Any thread. */
final class RunLog implements Closeable {
  private static final int PERIOD_MS = 10_000;

  private final Writer out;

  private RunLog(Writer out) {
    this.out = out;
  }

  /** Appends to a job's log; without a job, to nothing. */
  static RunLog of(Optional<Job> job) throws IOException {
    return new RunLog(
        job.isEmpty()
            ? Writer.nullWriter()
            : Files.newBufferedWriter(
                job.get().folder().resolve("log"),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND));
  }

  synchronized void line(String text) {
    try {
      out.write(Instant.now() + " " + text + System.lineSeparator());
      out.flush();
    } catch (IOException e) {
      // A load does not fail because its log cannot be written.
    }
  }

  PeriodicTask everyTenSeconds(Supplier<String> text) {
    return new PeriodicTask("load-log", () -> line(text.get()), PERIOD_MS);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
