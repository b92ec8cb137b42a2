package io.packhorse.loader.sink.hfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadDirectoryTest {
  @TempDir private java.nio.file.Path temporary = java.nio.file.Path.of("");
  private final FileSystem files = new RawLocalFileSystem();
  private Path parent = new Path("/");

  @BeforeEach
  void useTheTemporaryFolder() throws Exception {
    parent = new Path(temporary.resolve("hfiles").toUri());
    files.initialize(parent.toUri(), new Configuration(false));
  }

  @Test
  void removesWhatADeadLoadHasLeft() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    assertEquals(0, dead.waitFor());
    Path left = new Path(parent, "job_" + dead.pid() + "_1_0badcafe_" + LoadDirectory.host());
    files.create(new Path(left, "p/region-0-0")).close();
    Path reused =
        new Path(
            parent, "job_" + ProcessHandle.current().pid() + "_1_0badcafe_" + LoadDirectory.host());
    files.mkdirs(reused);
    List<String> said = LoadDirectory.clean(files, parent);
    assertEquals(2, said.size());
    assertTrue(said.get(0).startsWith("removed "), said.get(0));
    assertFalse(files.exists(left));
    assertFalse(files.exists(reused), "the process number is ours, but not the process");
  }

  @Test
  void leavesOtherLoadsAlone() throws Exception {
    assertEquals(List.of(), LoadDirectory.clean(files, parent), "a folder that is not there yet");
    try (LoadDirectory ours = LoadDirectory.create(files, parent)) {
      Path elsewhere = new Path(parent, "job_1_1_0badcafe_another-machine");
      Path stranger = new Path(parent, "notes");
      files.mkdirs(elsewhere);
      files.mkdirs(stranger);
      List<String> said = LoadDirectory.clean(files, parent);
      assertEquals(1, said.size());
      assertTrue(said.get(0).contains("belongs to a load on machine another-machine"));
      assertTrue(files.exists(ours.path()));
      assertTrue(files.exists(elsewhere));
      assertTrue(files.exists(stranger));
    }
  }

  @Test
  void isGoneAfterwards() throws Exception {
    LoadDirectory folder = LoadDirectory.create(files, parent);
    folder.makeFamily("p");
    files.create(folder.file("p", 3, 1)).close();
    folder.close();
    assertFalse(files.exists(folder.path()));
  }

  @Test
  void saysWhereItCannotBeMade() throws Exception {
    Files.createFile(temporary.resolve("hfiles"));
    IOException e = assertThrows(IOException.class, () -> LoadDirectory.create(files, parent));
    assertTrue(String.valueOf(e.getMessage()).contains(temporary.toString()), e.getMessage());
  }
}
