package io.packhorse.cluster.admin;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Connections that fail within about a minute, because playbooks retry. */
final class HBaseClient {
  private HBaseClient() {}

  static Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 5);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 20_000);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 60_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 60_000);
    conf.setInt("zookeeper.recovery.retry", 2);
    return conf;
  }

  /** A new connection, which the caller closes. */
  static Connection connect() throws IOException {
    return ConnectionFactory.createConnection(configuration());
  }
}
