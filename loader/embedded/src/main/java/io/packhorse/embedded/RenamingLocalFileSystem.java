package io.packhorse.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local disk as HBase's file system, durable after {@code hflush}, with renames in bulk loads.
 * Any number of threads.
 *
 * <p>It extends the raw file system, because Hadoop's checksummed one keeps some KiB of the
 * write-ahead log in the JVM after {@code hflush}. It has a canonical service name, because without
 * one a region server takes each path for another file system and copies HFiles in a bulk load.
 */
public final class RenamingLocalFileSystem extends RawLocalFileSystem {
  /** One name for all instances, because there is one local disk. */
  static final String SERVICE_NAME = "localhost:file";

  @Override
  public String getCanonicalServiceName() {
    return SERVICE_NAME;
  }

  /** Sets permissions in this JVM; the raw file system would start a {@code chmod} process. */
  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    String symbols =
        permission.getUserAction().SYMBOL
            + permission.getGroupAction().SYMBOL
            + permission.getOtherAction().SYMBOL;
    Files.setPosixFilePermissions(
        pathToFile(path).toPath(), PosixFilePermissions.fromString(symbols));
  }
}
