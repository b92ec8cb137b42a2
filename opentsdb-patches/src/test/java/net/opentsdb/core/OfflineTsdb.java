package net.opentsdb.core;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Map;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.utils.Config;

/** A TSDB that has no cluster to talk to: enough for rows handed to it. */
public final class OfflineTsdb {
  private OfflineTsdb() {}

  static TSDB create() {
    return create(Map.of());
  }

  /** Known names are walk, sensor and s1 to s99, UIDs counted from 1. */
  static TSDB create(Map<String, String> settings) {
    try {
      Config config = new Config(false);
      config.overrideConfig("tsd.storage.hbase.zk_quorum", "127.0.0.1:1");
      config.overrideConfig("tsd.storage.enable_compaction", "false");
      settings.forEach(config::overrideConfig);
      TSDB tsdb = new TSDB(config);
      addNames(tsdb);
      return tsdb;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes these names known to a TSDB. */
  public static void addNames(TSDB tsdb) {
    cache(tsdb.metrics, "walk", new byte[] {0, 0, 1});
    cache(tsdb.tag_names, "sensor", new byte[] {0, 0, 1});
    for (byte i = 1; i < 100; i++) {
      cache(tsdb.tag_values, "s" + i, new byte[] {0, 0, i});
    }
  }

  private static void cache(UniqueId table, String name, byte[] uid) {
    try {
      Method mapping = UniqueId.class.getDeclaredMethod("cacheMapping", String.class, byte[].class);
      mapping.setAccessible(true);
      mapping.invoke(table, name, uid);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("OpenTSDB's UID cache has changed", e);
    }
  }
}
