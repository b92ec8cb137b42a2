package io.packhorse.loader.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Tells Google Bigtable, whose client offers most of HBase's API, from HBase itself: some calls
 * need another way there, and some things it does not have. Any thread.
 */
public final class Bigtable {
  /** Of HBase's client: the class that makes connections. */
  static final String CONNECTION_CLASS = "hbase.client.connection.impl";

  private static final String ITS_PACKAGE = "com.google.cloud.bigtable.";

  private Bigtable() {}

  /** Whether a configuration names Bigtable's client. */
  public static boolean isIn(Configuration conf) {
    return conf.get(CONNECTION_CLASS, "").trim().startsWith(ITS_PACKAGE);
  }

  /** Whether a connection is one to Bigtable. */
  public static boolean is(Connection connection) {
    return isIn(connection.getConfiguration());
  }

  /** The instance's name for people: project and instance of the configuration. */
  public static String instance(Connection connection) {
    Configuration conf = connection.getConfiguration();
    return "Bigtable's instance "
        + conf.get("google.bigtable.instance.id", "?")
        + " of project "
        + conf.get("google.bigtable.project.id", "?");
  }
}
