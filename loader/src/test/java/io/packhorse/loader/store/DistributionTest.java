package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DistributionTest {
  @TempDir private Path lib = Path.of("");

  @Test
  void putsTheFoldersOnTheClassPathInOrder() throws Exception {
    jar("tsd-overlay", "overlay.jar");
    jar("tsd", "opentsdb-2.4.1.jar");
    assertEquals(
        lib.resolve("tsd-overlay").resolve("*")
            + File.pathSeparator
            + lib.resolve("tsd").resolve("*"),
        new Distribution(lib).classPath(TsdKind.PATCHED.libraries()));
  }

  @Test
  void refusesAMissingOrEmptyFolder() throws Exception {
    Files.createDirectory(lib.resolve("tsd"));
    for (String folder : List.of("tsd", "hbase")) {
      StoreException e =
          assertThrows(
              StoreException.class, () -> new Distribution(lib).classPath(List.of(folder)));
      assertTrue(e.toString().contains("no jars in " + lib.resolve(folder)), e.getMessage());
    }
  }

  @Test
  void readsVersionsFromJarNames() throws Exception {
    jar("hbase", "hbase-server-2.6.4-hadoop3.jar");
    jar("hbase", "hbase-server-api.jar");
    Distribution distribution = new Distribution(lib);
    assertEquals("2.6.4-hadoop3", distribution.version("hbase", "hbase-server"));
    assertEquals("unknown", distribution.version("tsd", "opentsdb"));
  }

  private void jar(String folder, String name) throws Exception {
    Files.createFile(Files.createDirectories(lib.resolve(folder)).resolve(name));
  }
}
