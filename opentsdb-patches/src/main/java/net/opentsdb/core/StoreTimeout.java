package net.opentsdb.core;

import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;

/**
 * The time that a TSD waits for one call to HBase: {@value #SETTING} in milliseconds, 0 for ever.
 * asynchbase's own default is 0, so that a call to a server that hangs never ends.
 */
@NullMarked
public final class StoreTimeout {
  static final String SETTING = "hbase.rpc.timeout";
  static final long DEFAULT_MS = 60_000;

  private StoreTimeout() {}

  /**
   * Sets it for a TSD whose configuration does not: {@value #DEFAULT_MS}, or half of {@code
   * tsd.query.timeout}, so that a query which meets a hanging server can say so. Tools wait for
   * ever, as a call of a full scan may be long.
   */
  public static void setDefault(Config config) {
    if (!config.hasProperty(SETTING)) {
      long queryMs = config.getLong(QueryTimeout.SETTING);
      config.overrideConfig(SETTING, Long.toString(queryMs > 0 ? queryMs / 2 : DEFAULT_MS));
    }
  }

  /** Passes it on to HBase's client, which reads the file of the configuration only. */
  static void apply(Config config, org.hbase.async.Config client) {
    if (config.hasProperty(SETTING)) {
      client.overrideConfig(SETTING, config.getString(SETTING));
    }
  }
}
