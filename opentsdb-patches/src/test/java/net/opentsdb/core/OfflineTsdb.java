package net.opentsdb.core;

import java.io.IOException;
import java.util.Map;
import net.opentsdb.utils.Config;

/** A TSDB that has no cluster to talk to: enough for rows handed to it. */
final class OfflineTsdb {
  private OfflineTsdb() {}

  static TSDB create() {
    return create(Map.of());
  }

  static TSDB create(Map<String, String> settings) {
    try {
      Config config = new Config(false);
      config.overrideConfig("tsd.storage.hbase.zk_quorum", "127.0.0.1:1");
      config.overrideConfig("tsd.storage.enable_compaction", "false");
      settings.forEach(config::overrideConfig);
      return new TSDB(config);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
