package io.packhorse.loader.sink.hfile;

import java.io.Serializable;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A complete HFile of one attempt of a task, told to the process that began the load. Its arrays
 * must not be changed.
 *
 * @param path as a URI
 * @param bytes its length
 * @param crc32c of its content, eight hex digits; null if it was not asked for
 * @param points in its cells
 * @param firstRow row key of its first cell
 * @param lastRow row key of its last cell
 * @param lastQualifier column of its last cell
 */
public record WrittenHFile(
    String path,
    long bytes,
    @Nullable String crc32c,
    long points,
    byte[] firstRow,
    byte[] lastRow,
    byte[] lastQualifier)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static WrittenHFile of(RegionFile file) {
    return new WrittenHFile(
        file.path().toString(),
        file.bytes(),
        file.crc32c().orElse(null),
        file.points(),
        file.firstRow(),
        file.lastRow(),
        file.lastQualifier());
  }

  /** The same file at another place. */
  RegionFile at(Path place) {
    return new RegionFile(
        place, bytes, Optional.ofNullable(crc32c), points, firstRow, lastRow, lastQualifier);
  }
}
