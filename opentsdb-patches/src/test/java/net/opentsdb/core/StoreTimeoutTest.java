package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.opentsdb.utils.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a TSD to HBase end. */
final class StoreTimeoutTest {
  @Test
  void isHalfTheTimeOfAQuery() throws IOException {
    Config config = new Config(false);
    StoreTimeout.setDefault(config);
    assertEquals("60000", config.getString(StoreTimeout.SETTING));
    Config unlimited = new Config(false);
    unlimited.overrideConfig("tsd.query.timeout", "0");
    StoreTimeout.setDefault(unlimited);
    assertEquals("60000", unlimited.getString(StoreTimeout.SETTING));
  }

  @Test
  void isWhatTheConfigurationSays(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("opentsdb.conf");
    Files.writeString(file, "hbase.rpc.timeout = 0\n");
    Config config = new Config(file.toString());
    StoreTimeout.setDefault(config);
    assertEquals("0", config.getString(StoreTimeout.SETTING));
  }

  @Test
  void reachesTheClient() {
    TSDB tsdb = OfflineTsdb.create(Map.of(StoreTimeout.SETTING, "1234"));
    assertEquals(1234, tsdb.getClient().getDefaultRpcTimeout());
    TSDB tool = OfflineTsdb.create(Map.of());
    assertFalse(tool.getConfig().hasProperty(StoreTimeout.SETTING));
    assertEquals(0, tool.getClient().getDefaultRpcTimeout(), "tools wait");
  }
}
