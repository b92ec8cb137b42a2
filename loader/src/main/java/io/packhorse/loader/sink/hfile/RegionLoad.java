package io.packhorse.loader.sink.hfile;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.NotServingRegionException;
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
  /** How long a region may be away, as for Puts one that is too busy. */
  private static final Duration AWAY_MAX = Duration.ofMinutes(5);

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
        if (!isThere(last, read)) {
          unreadable.add(file);
        }
      }
    }
    return unreadable;
  }

  /**
   * Asks until the row's region is served; each time HBase's client has tried for half a minute.
   */
  private static boolean isThere(Get row, Table read) throws IOException {
    long deadline = System.nanoTime() + AWAY_MAX.toNanos();
    while (true) {
      try {
        return read.exists(row);
      } catch (IOException e) {
        if (!isAway(e) || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Whether servers answer, but the region is on its way to another one, or being split. */
  private static boolean isAway(IOException error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof NotServingRegionException) {
        return true;
      }
    }
    return false;
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
