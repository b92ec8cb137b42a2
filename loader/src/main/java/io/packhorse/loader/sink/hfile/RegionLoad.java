package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.hbase.PatientRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
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
 * Hands HFiles to HBase and sees that their last rows can be read.
 *
 * @param connection stays the caller's
 */
record RegionLoad(
    Connection connection,
    Configuration conf,
    FileSystem fileSystem,
    TableName table,
    ColumnFamilyDescriptor family) {
  /**
   * Loads them; they are gone from their folder afterwards. A file that is gone already was loaded
   * before; one that has come to lie in several regions is split by HBase's loader.
   *
   * @return points now readable
   */
  long run(List<RegionFile> files) throws IOException {
    List<Path> there = new ArrayList<>();
    for (RegionFile file : files) {
      if (fileSystem.exists(file.path())) {
        there.add(file.path());
      }
    }
    if (!there.isEmpty()) {
      load(there);
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

  /** The files among these whose last row cannot be read from the table. */
  List<RegionFile> unreadable(List<RegionFile> files) throws IOException {
    List<RegionFile> unreadable = new ArrayList<>();
    try (Table read = connection.getTable(table)) {
      for (RegionFile file : files) {
        Get last = new Get(file.lastRow()).addColumn(family.getName(), file.lastQualifier());
        if (!PatientRead.of(() -> read.exists(last))) {
          unreadable.add(file);
        }
      }
    }
    return unreadable;
  }

  private void load(List<Path> paths) throws IOException {
    try {
      var unused = BulkLoadHFiles.create(conf).bulkLoad(table, Map.of(family.getName(), paths));
    } catch (IOException | IllegalStateException e) {
      throw FailedStep.of(
          "the bulk load of "
              + paths.get(0)
              + " failed, the reason is in the region server's log; "
              + "the server's user must be able to move files out of that folder",
          e);
    }
  }
}
