package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.job.Manifests;
import io.packhorse.loader.source.input.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFilesTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aFileThatHasChangedOrIsGoneIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("lines.txt"), "one");
    List<JobInput> files = JobFiles.of(List.of(Input.ofFile("lines.txt", file)));
    Manifest manifest = Manifests.of("one", JobShard.WHOLE, Manifests.settings(), files);
    assertEquals(Optional.empty(), JobFiles.change(manifest));
    Input again = JobFiles.inputs(manifest).get(0);
    assertEquals("lines.txt", again.name());
    assertEquals(Optional.of(file.toAbsolutePath()), again.opener().file());

    Files.writeString(file, "two");
    assertTrue(JobFiles.change(manifest).orElseThrow().contains(file + " has changed"));
    Files.delete(file);
    assertTrue(JobFiles.change(manifest).orElseThrow().contains(file + " cannot be read"));
  }

  @Test
  void aPipeIsNotAFileOfTheJob() throws Exception {
    Input pipe = new Input("(standard input)", java.io.InputStream::nullInputStream);
    assertEquals(List.of(), JobFiles.of(List.of(pipe)));
  }
}
