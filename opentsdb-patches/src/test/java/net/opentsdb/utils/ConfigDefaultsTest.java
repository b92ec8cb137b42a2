package net.opentsdb.utils;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a TSD does when nobody has told it anything. */
final class ConfigDefaultsTest {
  @Test
  void areClosed() throws IOException {
    Config config = new Config(false);
    assertEquals("127.0.0.1", config.getString("tsd.network.bind"));
    assertTrue(config.getBoolean("tsd.no_diediedie"));
    assertFalse(config.getBoolean("tsd.core.enable_admin"));
    assertFalse(config.getBoolean("tsd.http.query.allow_exp"));
    assertFalse(config.getBoolean("tsd.http.query.allow_delete"));
    assertFalse(config.getBoolean("tsd.http.show_stack_trace"));
    assertEquals(4096, config.getInt("tsd.core.connections.limit"));
    assertEquals(300, config.getInt("tsd.core.socket.timeout"));
    assertEquals(4L << 30, config.getLong("tsd.query.limits.bytes.default"));
    assertEquals(10_000_000_000L, config.getLong("tsd.query.limits.data_points.default"));
  }

  @Test
  void giveWayToAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("opentsdb.conf");
    Files.writeString(
        file,
        """
        tsd.network.bind = 0.0.0.0
        tsd.query.limits.bytes.default = 0
        tsd.no_diediedie = false
        """);
    Config config = new Config(file.toString());
    assertEquals("0.0.0.0", config.getString("tsd.network.bind"));
    assertEquals(0, config.getLong("tsd.query.limits.bytes.default"));
    assertFalse(config.getBoolean("tsd.no_diediedie"));
  }

  @Test
  void secretsAreKnownByTheirNames() {
    assertTrue(Secrets.isSecret("tsd.plugin.PASSWORD"));
    assertTrue(Secrets.isSecret("hbase.keystore.pass"));
    assertTrue(Secrets.isSecret("a.client_secret"));
    assertTrue(Secrets.isSecret("a.Token"));
    assertFalse(Secrets.isSecret("tsd.rollups.agg_tag_key"));
    assertFalse(Secrets.isSecret("tsd.storage.salt.width"));
  }
}
