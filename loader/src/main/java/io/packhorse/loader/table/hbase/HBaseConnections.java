package io.packhorse.loader.table.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Connections to HBase that give up in minutes, not in hours. */
public final class HBaseConnections {
  private static final int OPERATION_MS_MAX = 120_000;
  private static final int RPC_MS_MAX = 60_000;

  private HBaseConnections() {}

  /** Settings for a cluster named by its ZooKeeper, {@code host:port} with commas between. */
  public static Configuration configuration(String zookeeperQuorum) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", zookeeperQuorum);
    conf.setInt("hbase.client.operation.timeout", OPERATION_MS_MAX);
    conf.setInt("hbase.client.meta.operation.timeout", OPERATION_MS_MAX);
    conf.setInt("hbase.rpc.timeout", RPC_MS_MAX);
    return conf;
  }

  /** Opens a connection; the caller closes it. It may be shared by threads. */
  public static Connection open(String zookeeperQuorum) throws IOException {
    return ConnectionFactory.createConnection(configuration(zookeeperQuorum));
  }
}
