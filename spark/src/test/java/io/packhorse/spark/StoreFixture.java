package io.packhorse.spark;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobHistory;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** An embedded store in a directory of its own, and the packed cells in it. */
final class StoreFixture implements AutoCloseable {
  private final EmbeddedServer server;
  private final Cluster cluster;

  StoreFixture(Path folder) throws Exception {
    OptionalInt none = OptionalInt.empty();
    // Not 4242, which a developer's store may want.
    ServerOptions options =
        new ServerOptions(
            none, OptionalInt.of(freePort()), none, EnumSet.of(TsdKind.PATCHED), none, true);
    server = new EmbeddedStore(folder).ensureRunning(options);
    cluster = Cluster.connect(server.zookeeperQuorum(), null);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  EmbeddedServer server() {
    return server;
  }

  /** The record of a job. */
  JobHistory history(String job) throws JobException {
    return new JobFolder(server.store().jobs()).look(job, JobShard.WHOLE).history();
  }

  /** The packed cells of a job: their values by row key and part. */
  Map<String, String> cells(String job) throws IOException, JobException {
    Map<String, String> cells = new TreeMap<>();
    for (LoaderId loader : history(job).loaders()) {
      cells.putAll(cells(loader.id()));
    }
    return cells;
  }

  private Map<String, String> cells(int loader) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    Scan scan = new Scan().addFamily(Bytes.toBytes(PackedQualifier.FAMILY)).readAllVersions();
    HexFormat hex = HexFormat.of();
    try (Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA));
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          PackedQualifier column = PackedQualifier.parse(CellUtil.cloneQualifier(cell));
          if (column.loaderId() == loader) {
            String name = hex.formatHex(CellUtil.cloneRow(cell)) + " " + column.part();
            String was = cells.put(name, hex.formatHex(CellUtil.cloneValue(cell)));
            if (was != null) {
              throw new IOException("two versions of one cell: " + name);
            }
          }
        }
      }
    }
    return cells;
  }

  @Override
  public void close() throws Exception {
    cluster.close();
    server.stop();
  }
}
