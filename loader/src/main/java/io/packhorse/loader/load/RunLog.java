package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The log in a job's folder: a line for each event, with its time. Any thread. */
final class RunLog implements Closeable {
  private static final int PERIOD_SECONDS = 10;

  private final Writer out;

  /** Writes lines until closed. */
  interface Periodic extends AutoCloseable {
    @Override
    void close();
  }

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

  Periodic everyTenSeconds(Supplier<String> text) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "load-log");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        timer.scheduleAtFixedRate(
            () -> line(text.get()), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    return timer::shutdownNow;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
