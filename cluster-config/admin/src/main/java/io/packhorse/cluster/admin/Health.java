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
 * State of a cluster at one moment.
 *
 * @param regionServers number of region servers that the master regards as live
 * @param regionsInTransition number of regions that no server has open
 * @param dataNodes number of DataNodes that the NameNode regards as live
 * @param missing number of blocks without any copy
 * @param underReplicated number of blocks with fewer copies than configured
 * @param safeMode whether HDFS refuses writes
 */
record Health(
    int regionServers,
    int regionsInTransition,
    int dataNodes,
    long missing,
    long underReplicated,
    boolean safeMode) {
  static Health now() throws IOException {
    try (FileSystem files = FileSystem.get(HBaseClient.configuration());
        Connection connection = HBaseClient.connect();
        Admin admin = connection.getAdmin()) {
      if (!(files instanceof DistributedFileSystem hdfs)) {
        throw new IOException("fs.defaultFS is not an HDFS file system: " + files.getUri());
      }
      // Fails while the master is starting, unlike the next call.
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

  /** Reasons why the cluster is not healthy, one sentence each; empty if it is healthy. */
  List<String> problems(int regionServersMin, int dataNodesMin, long underReplicatedMax) {
    List<String> problems = new ArrayList<>();
    if (regionServers < regionServersMin) {
      problems.add(regionServers + " of " + regionServersMin + " region servers live");
    }
    if (regionsInTransition > 0) {
      problems.add(regionsInTransition + " regions in transition");
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
