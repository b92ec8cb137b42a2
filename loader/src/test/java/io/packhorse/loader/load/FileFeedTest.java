package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.job.Manifests;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.SeriesRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of one job that store nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FileFeedTest {
  @TempDir private Path folder = Path.of("");

  private JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
  }

  private static LoadSettings settings(RejectBudget budget) {
    return Manifests.settings(
        new SourceSpec(Optional.of(Format.OPENTSDB), Optional.empty(), SeriesRules.NONE), budget);
  }

  private Job create(RejectBudget budget) throws Exception {
    return jobs().create(Manifests.of("one", JobShard.WHOLE, settings(budget), List.of(), "load"));
  }

  private static LoadOutcome load(Job job, List<Input> inputs) throws Exception {
    LoadSettings settings = job.manifest().settings();
    try (Destination nowhere = new NullDestination();
        Rejects rejects =
            Rejects.appended(job.rejects(Optional.empty(), missed -> {}), Long.MAX_VALUE)) {
      PointFeed feed =
          LoadRunner.feed(
              settings, LoadInputs.of(inputs), rejects, Optional.of(job), Announcer.SILENT);
      return new LoadRun(
              feed,
              nowhere,
              settings,
              Optional.of(new JobRun(job, true, "packhorse job resume one")),
              Announcer.SILENT)
          .run();
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
    try (Job job = create(budget)) {
      OperationException cutOff =
          assertThrows(
              OperationException.class, () -> load(job, List.of(lines, failsAfterACheckpoint())));
      assertEquals(OperationException.Kind.USAGE, cutOff.kind());
    }
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertTrue(job.before().read() < 1000, "most points are in open hours");
      LoadOutcome whole = load(job, List.of(lines));
      assertEquals(80, whole.rejected());
      assertEquals(100_000, whole.counts().read());
      assertEquals(
          Optional.of(new PointTimes(1_356_998_400_000L, 1_356_999_249_000L)),
          whole.times(),
          "the first point was read before the resume");
    }
  }
}
