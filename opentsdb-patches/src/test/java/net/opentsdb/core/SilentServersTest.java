package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.opentsdb.utils.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a TSD waits for a word of a region server. */
final class SilentServersTest {
  @Test
  void isALittleMoreThanAQueryMayTake() throws IOException {
    Config config = new Config(false);
    SilentServers.setDefault(config);
    assertEquals("127", config.getString(SilentServers.SETTING));
    Config unlimited = new Config(false);
    unlimited.overrideConfig("tsd.query.timeout", "0");
    SilentServers.setDefault(unlimited);
    assertEquals("607", unlimited.getString(SilentServers.SETTING));
  }

  @Test
  void isWhatTheConfigurationSays(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("opentsdb.conf");
    Files.writeString(file, SilentServers.SETTING + " = 0\n");
    Config config = new Config(file.toString());
    SilentServers.setDefault(config);
    assertEquals("0", config.getString(SilentServers.SETTING));
  }

  @Test
  void reachesTheClientOfATsdAndNoToolUnasked() throws IOException {
    Config config = new Config(false);
    org.hbase.async.Config client = new org.hbase.async.Config();
    SilentServers.apply(config, client);
    assertFalse(client.hasProperty(SilentServers.SETTING));
    assertFalse(config.hasProperty(SilentServers.SETTING));
    config.overrideConfig(SilentServers.SETTING, "9");
    SilentServers.apply(config, client);
    assertEquals("9", client.getString(SilentServers.SETTING));
  }
}
