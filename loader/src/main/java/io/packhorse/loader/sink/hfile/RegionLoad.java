package io.packhorse.loader.sink.hfile;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Hands the HFiles of one region to HBase and sees that their last rows can be read.
 *
 * @param connection stays the caller's
 */
record RegionLoad(
    Connection connection, Configuration conf, TableName table, ColumnFamilyDescriptor family) {
  /**
   * Loads them; the files are gone from their folder afterwards.
   *
   * @return points now readable
   */
  long run(List<RegionFile> region) throws IOException {
    List<Path> paths = region.stream().map(RegionFile::path).toList();
    Set<Path> loaded;
    try {
      loaded =
          BulkLoadHFiles.create(conf)
              .bulkLoad(table, Map.of(family.getName(), paths))
              .keySet()
              .stream()
              .map(BulkLoadHFiles.LoadQueueItem::getFilePath)
              .collect(Collectors.toSet());
    } catch (IOException | IllegalStateException e) {
      throw FailedStep.of(
          "the bulk load of "
              + paths.get(0)
              + " failed, the reason is in the region server's log; "
              + "the server's user must be able to move files out of that folder",
          e);
    }
    long points = 0;
    try (Table read = connection.getTable(table)) {
      for (RegionFile file : region) {
        Get last = new Get(file.lastRow()).addColumn(family.getName(), file.lastQualifier());
        if (!loaded.contains(file.path()) || !read.exists(last)) {
          throw new IOException(
              "row "
                  + Bytes.toStringBinary(file.lastRow())
                  + " cannot be read after the bulk load of "
                  + file.path()
                  + "; run the same command again");
        }
        points += file.points();
      }
    }
    return points;
  }
}
