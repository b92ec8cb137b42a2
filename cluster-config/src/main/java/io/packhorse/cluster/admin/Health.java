package io.packhorse.cluster.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * What a cluster is like at one moment.
 *
 * @param regionServers that answer the master
 * @param moving regions that no server has open
 * @param dataNodes that answer the NameNode
 * @param missing blocks of which no copy is known
 * @param underReplicated blocks with fewer copies than wished
 * @param safeMode whether HDFS refuses writes
 */
record Health(
    int regionServers,
    int moving,
    int dataNodes,
    long missing,
    long underReplicated,
    boolean safeMode) {
  static Health now() throws IOException {
    try (FileSystem files = FileSystem.get(HBase.configuration());
        Connection connection = HBase.connect();
        Admin admin = connection.getAdmin()) {
      if (!(files instanceof DistributedFileSystem hdfs)) {
        throw new IOException("fs.defaultFS is no HDFS: " + files.getUri());
      }
      // Refused by a master that is still starting; it answers the next call long before that.
      admin.listNamespaces();
      ClusterMetrics hbase =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.REGIONS_IN_TRANSITION));
      return new Health(
          hbase.getLiveServerMetrics().size(),
          hbase.getRegionStatesInTransition().size(),
          hdfs.getDataNodeStats(DatanodeReportType.LIVE).length,
          hdfs.getMissingBlocksCount(),
          hdfs.getLowRedundancyBlocksCount(),
          hdfs.setSafeMode(SafeModeAction.GET));
    }
  }

  /** What keeps it from being healthy, a sentence each; empty if it is. */
  List<String> problems(int regionServersMin, int dataNodesMin, long underReplicatedMax) {
    List<String> problems = new ArrayList<>();
    if (regionServers < regionServersMin) {
      problems.add(regionServers + " of " + regionServersMin + " region servers live");
    }
    if (moving > 0) {
      problems.add(moving + " regions in transition");
    }
    if (dataNodes < dataNodesMin) {
      problems.add(dataNodes + " of " + dataNodesMin + " DataNodes live");
    }
    if (missing > 0) {
      problems.add(missing + " blocks missing");
    }
    if (underReplicated > underReplicatedMax) {
      problems.add(underReplicated + " blocks with too few copies");
    }
    if (safeMode) {
      problems.add("HDFS is in safe mode");
    }
    return problems;
  }
}
