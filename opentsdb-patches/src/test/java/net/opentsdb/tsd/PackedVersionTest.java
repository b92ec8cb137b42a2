package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a loader tells a TSD that reads packed cells from one that leaves them out. */
@Timeout(60)
final class PackedVersionTest {
  @Test
  void isNamedBesideTheTsdsOwn(@TempDir Path home) throws IOException {
    try (RunningTsd tsd = RunningTsd.start(home, Map.of())) {
      String version = tsd.send("GET", "/api/version").body();
      assertTrue(version.contains("\"packed_cells\":\"1\""), version);
    }
  }
}
