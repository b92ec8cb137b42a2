package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.Rejects;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Runs of one job that store nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LineLoadTest {
  @TempDir private Path folder = Path.of("");

  @CommandLine.Command
  private static final class Options {
    @Mixin private final SourceOptions source = new SourceOptions();
    @Mixin private final LoadOptions load = new LoadOptions();
  }

  private JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
  }

  private Job create() throws Exception {
    return jobs()
        .create(
            new Manifest(
                Manifest.VERSION,
                "one",
                1,
                1,
                "2024-01-01T00:00:00Z",
                "test",
                List.of(),
                "/",
                "tsdb",
                "packed",
                "puts",
                2,
                List.of(),
                List.of(),
                true));
  }

  private LoadOutcome load(Job job, List<Input> inputs, RejectBudget budget, String... arguments)
      throws Exception {
    Options options = new Options();
    CommandLine.ParseResult unused = new CommandLine(options).parseArgs(arguments);
    PrintWriter nobody = new PrintWriter(Writer.nullWriter());
    try (Destination nowhere = Destination.nowhere();
        Rejects rejects =
            new Rejects(
                job.rejects(Optional.empty(), missed -> {}),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
      return new LineLoad(
              nowhere,
              inputs,
              options.source,
              new Points(options.source.spec().rules(), rejects),
              rejects,
              budget,
              options.load,
              nobody)
          .run(Optional.of(new LoadJob(job, Duration.ZERO, OptionalInt.empty(), "go on")));
    }
  }

  /** Nothing can be read of it, but only once there is a checkpoint. */
  private Input failsAfterACheckpoint() {
    return new Input(
        "pipe",
        () -> {
          try {
            while (jobs().look("one", JobShard.WHOLE).history().checkpoints().isEmpty()) {
              Thread.onSpinWait();
            }
          } catch (JobException e) {
            throw new IOException(e);
          }
          throw new IOException("broken");
        });
  }

  private Input file(String name, String content) throws IOException {
    Path file = Files.writeString(folder.resolve(name), content);
    return Input.ofFile(name, file);
  }

  /** Points of one hour, which stays open; those of two calls are the same. */
  private static String points(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("m ").append(1_356_998_400 + i / 100).append(" 7 host=h").append(i % 100);
      text.append('\n');
    }
    return text.toString();
  }

  @Test
  void aShareOfRejectsIsJudgedByAllLinesAlsoAfterAResume() throws Exception {
    Input lines = file("lines.txt", points(85_000) + "no point\n".repeat(80) + points(15_000));
    RejectBudget budget = new RejectBudget(Long.MAX_VALUE, 0.001);
    try (Job job = create()) {
      CommandException cutOff =
          assertThrows(
              CommandException.class,
              () ->
                  load(job, List.of(lines, failsAfterACheckpoint()), budget, "--format=opentsdb"));
      assertEquals(ExitCode.USAGE, cutOff.exitCode());
    }
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertTrue(job.before().read() < 1000, "most points are in open hours");
      LoadOutcome whole = load(job, List.of(lines), budget, "--format=opentsdb");
      assertEquals(80, whole.rejected());
      assertEquals(100_000, whole.counts().read());
    }
  }
}
