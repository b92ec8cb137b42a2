package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.job.Manifests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code job list} prints of jobs that nobody works on. */
final class JobListTest {
  @TempDir private Path folder = Path.of("");

  private void begin(String id, String time, String... command) throws Exception {
    Manifest manifest =
        Manifests.of(
            id,
            JobShard.WHOLE,
            Manifests.settings(),
            List.of(new JobInput("a.txt", "/a.txt", 5, "00")),
            command);
    new JobFolder(folder)
        .create(
            new Manifest(
                manifest.v(),
                id,
                1,
                1,
                time,
                manifest.software(),
                manifest.command(),
                manifest.store(),
                manifest.settings(),
                manifest.inputs(),
                true))
        .close();
  }

  @Test
  void jobsStandInColumnsTheOldestFirstWithTheirTimes() throws Exception {
    begin("z", "2024-01-31T23:59:58.123Z", "load", "a.txt");
    begin("a-longer-name", "2024-02-01T00:00:00Z", "load", "b.txt");
    StringWriter out = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .execute("job", "list", "--jobs-dir", folder.toString());
    assertEquals(ExitCode.OK.code(), code);
    assertEquals(
        List.of(
            "JOB            BEGUN (UTC)          STATE       POINTS  COMMAND",
            "z              2024-01-31 23:59:58  unfinished       0  load a.txt",
            "a-longer-name  2024-02-01 00:00:00  unfinished       0  load b.txt"),
        out.toString().lines().toList());
  }
}
