package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.hbase.PatientCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Bulk-loads HFiles and checks that their last rows can be read. Any number of threads.
 *
 * @param connection stays the caller's
 * @param tool HBase's own bulk load
 */
record BulkLoad(
    Connection connection,
    BulkLoadHFiles tool,
    FileSystem fileSystem,
    TableName table,
    ColumnFamilyDescriptor family) {
  /**
   * Bulk-loads files, which moves them out of their folder. A file that is gone was bulk-loaded
   * before; one that lies in several regions by now is split by HBase.
   *
   * @return points of the files, which can be read now
   */
  long run(List<RegionFile> files) throws IOException {
    List<Path> present = new ArrayList<>();
    for (RegionFile file : files) {
      if (fileSystem.exists(file.path())) {
        present.add(file.path());
      }
    }
    if (!present.isEmpty()) {
      load(present);
    }
    List<RegionFile> unreadable = unreadable(files);
    if (!unreadable.isEmpty()) {
      RegionFile file = unreadable.get(0);
      throw new IOException(
          "row "
              + Bytes.toStringBinary(file.lastRow())
              + " cannot be read after the bulk load of "
              + file.path());
    }
    return files.stream().mapToLong(RegionFile::points).sum();
  }

  /** The files whose last row cannot be read from the table. */
  List<RegionFile> unreadable(List<RegionFile> files) throws IOException {
    List<RegionFile> unreadable = new ArrayList<>();
    try (Table read = connection.getTable(table)) {
      for (RegionFile file : files) {
        Get last = new Get(file.lastRow()).addColumn(family.getName(), file.lastQualifier());
        if (!PatientCall.of(() -> read.exists(last))) {
          unreadable.add(file);
        }
      }
    }
    return unreadable;
  }

  private void load(List<Path> paths) throws IOException {
    try {
      tool.bulkLoad(table, Map.of(family.getName(), paths));
    } catch (IOException | IllegalStateException e) {
      throw StepFailure.of(
          "the bulk load of "
              + paths.get(0)
              + " failed; the region server's log says why. Often its user may not move files out"
              + " of that folder",
          e);
    } catch (RejectedExecutionException e) {
      // As in Cluster.close, HBase could not close a connection, here its own. Whether the files
      // were bulk-loaded before that, their rows say.
    }
  }
}
