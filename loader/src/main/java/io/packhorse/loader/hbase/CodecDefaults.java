package io.packhorse.loader.hbase;

import org.apache.hadoop.conf.Configuration;

/** Which codecs HBase's classes use in this process. Any thread. */
public final class CodecDefaults {
  private CodecDefaults() {}

  /**
   * Names them; before the first file or connection is opened. HBase reads codec settings from
   * default resources only, not from the configuration it is given. May be called again.
   */
  public static void add() {
    Configuration.addDefaultResource("packhorse-hbase.xml");
  }
}
