package net.opentsdb.core;

import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;

/**
 * When a TSD gives up a connection to a region server that hangs or has vanished: after {@value
 * #SETTING} seconds without a byte from it, 0 for never. Its calls are sent again then, to wherever
 * the regions are by now, but scans that had begun fail.
 *
 * <p>asynchbase's own default is 0: a server whose machine has lost its network is asked for as
 * long as TCP takes to give up, a quarter of an hour. Its other limit, {@code hbase.rpc.timeout},
 * is of no use: a call that has timed out while its region was away blocks all later calls to that
 * region, for ever.
 */
@NullMarked
public final class SilentServers {
  static final String SETTING = "hbase.ipc.client.connection.idle_read_timeout";

  /** For a TSD whose queries have no limit. */
  private static final long QUERY_MAX_S = 600;

  /** So that a query that comes every two or five minutes never meets the end of the wait. */
  private static final long MORE_S = 7;

  private SilentServers() {}

  /**
   * Sets it for a TSD whose configuration does not: a little more than {@code tsd.query.timeout},
   * since a filter that lets few rows pass makes the server silent as long as that. Tools wait for
   * ever.
   */
  public static void setDefault(Config config) {
    if (!config.hasProperty(SETTING)) {
      long queryMs = config.getLong(QueryTimeout.SETTING);
      long seconds = queryMs > 0 ? (queryMs + 999) / 1000 : QUERY_MAX_S;
      config.overrideConfig(SETTING, Long.toString(seconds + MORE_S));
    }
  }

  /** Passes it on to HBase's client, which reads the file of the configuration only. */
  static void apply(Config config, org.hbase.async.Config client) {
    if (config.hasProperty(SETTING)) {
      client.overrideConfig(SETTING, config.getString(SETTING));
    }
  }
}
