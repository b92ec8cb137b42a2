package io.packhorse.embedded;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** HBase's settings for one JVM on a local disk, with reasons. */
final class StoreConfiguration {
  /**
   * ZooKeeper session timeout in milliseconds: how long the process may be paused. A restart after
   * a kill does not wait for it, see {@link EmbeddedZooKeeper}.
   */
  static final int SESSION_MS = 30_000;

  private StoreConfiguration() {}

  static Configuration of(EmbeddedOptions options) {
    StoreLayout layout = new StoreLayout(options.dir());
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", new Path(layout.hbase().toUri()).toString());
    conf.set("hbase.tmp.dir", layout.temporary().toString());
    conf.set("hadoop.tmp.dir", layout.temporary().toString());
    conf.setBoolean("hbase.cluster.distributed", false);

    // Writes reach the operating system before they are acknowledged; HBase checks for support.
    conf.set("fs.file.impl", RenamingLocalFileSystem.class.getName());
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", true);

    // Loopback only, no web pages.
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", options.zookeeperPort());
    conf.setBoolean("hbase.localcluster.assign.random.ports", false);
    conf.setInt("hbase.master.port", options.masterPort());
    conf.setInt("hbase.regionserver.port", options.regionServerPort());
    conf.setInt("hbase.master.info.port", -1);
    conf.setInt("hbase.regionserver.info.port", -1);
    conf.set("hbase.master.ipc.address", "127.0.0.1");
    conf.set("hbase.regionserver.ipc.address", "127.0.0.1");
    conf.set("hbase.master.hostname", "localhost");
    conf.set("hbase.unsafe.regionserver.hostname", "localhost");

    // There is only one region server, so the master need not wait for more.
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.timeout", 100);
    conf.setInt("hbase.master.wait.on.regionservers.interval", 50);
    conf.setInt("hbase.regionserver.msginterval", 1000);
    conf.setInt("zookeeper.session.timeout", SESSION_MS);

    // This process has its own shutdown hook, with which HBase's would race.
    conf.setBoolean("hbase.shutdown.hook", false);
    // Old logs are deleted after one minute, not ten, to save disk space.
    conf.setInt("hbase.master.logcleaner.ttl", 60_000);
    conf.setInt("hbase.master.cleaner.interval", 60_000);
    return conf;
  }
}
