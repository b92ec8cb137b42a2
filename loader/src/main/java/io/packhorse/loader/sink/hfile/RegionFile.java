package io.packhorse.loader.sink.hfile;

import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * A complete HFile. All its rows were in one region when it was written.
 *
 * @param path on the file system of its load
 * @param bytes its length
 * @param crc32c of its content; empty if it is bulk-loaded at once
 * @param points in its cells, and in cells replaced by equal ones before they were written
 * @param firstRow row key of its first cell
 * @param lastRow row key of its last cell
 * @param lastQualifier column of its last cell
 */
record RegionFile(
    Path path,
    long bytes,
    Optional<String> crc32c,
    long points,
    byte[] firstRow,
    byte[] lastRow,
    byte[] lastQualifier) {
  /** The same file in another folder. */
  RegionFile in(Path folder) {
    Path moved = new Path(folder, name());
    return new RegionFile(moved, bytes, crc32c, points, firstRow, lastRow, lastQualifier);
  }

  RegionFile withCrc32c(String crc) {
    return new RegionFile(path, bytes, Optional.of(crc), points, firstRow, lastRow, lastQualifier);
  }

  /** Its path below the load's folder: family and file. */
  String name() {
    return path.getParent().getName() + "/" + path.getName();
  }
}
