package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifests;
import io.packhorse.loader.pipeline.LoadCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DuplicateInputCheckTest {
  private static final JobInput LINES = new JobInput("lines.txt", "/lines.txt", 9, "aa");
  private static final JobInput RENAMED =
      new JobInput("other/name.txt", "/other/name.txt", 9, "aa");
  private static final JobInput OTHERS = new JobInput("lines.txt", "/lines.txt", 9, "bb");

  @TempDir private Path folder = Path.of("");

  private JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
  }

  private Job create(String id) throws Exception {
    return jobs()
        .create(
            Manifests.of(
                id, JobShard.WHOLE, Manifests.settings(), List.of(LINES), "load", "lines.txt"));
  }

  private void refuse(JobInput file, String... except) throws Exception {
    new DuplicateInputCheck(jobs(), "tsdb", CellForm.PACKED)
        .refuse(List.of(file), Set.of(except), Announcer.SILENT);
  }

  private void assertRefused(String state) {
    OperationException thrown = assertThrows(OperationException.class, () -> refuse(RENAMED));
    assertEquals(OperationException.Kind.REFUSED, thrown.kind());
    assertTrue(
        String.valueOf(thrown.getMessage()).contains("was loaded by job one, which is " + state),
        thrown.getMessage());
  }

  @Test
  void whatAJobMayHaveStoredIsNotLoadedAgain() throws Exception {
    try (Job job = create("one")) {
      job.recording(() -> new LoaderId(9, 1234)).next();
    }
    assertRefused("unfinished");
    refuse(OTHERS);
    refuse(LINES, "one");
    new DuplicateInputCheck(jobs(), "tsdb", CellForm.COMPACTED)
        .refuse(List.of(LINES), Set.of(), Announcer.SILENT);
    new DuplicateInputCheck(jobs(), "other", CellForm.PACKED)
        .refuse(List.of(LINES), Set.of(), Announcer.SILENT);
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      job.reach(JobState.LOADED, LoadCounts.NONE, Map.of());
    }
    assertRefused("loaded");
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      job.reach(JobState.ROLLED_BACK, LoadCounts.NONE, Map.of());
    }
    refuse(LINES);
  }

  @Test
  void aJobThatWasRefusedBeforeItStoredAnythingDoesNotCount() throws Exception {
    try (Job job = create("one")) {
      assertTrue(job.history().loaders().isEmpty());
      assertRefused("unfinished");
    }
    refuse(LINES);
  }
}
