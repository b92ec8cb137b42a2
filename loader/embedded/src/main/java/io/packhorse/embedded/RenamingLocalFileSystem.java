package io.packhorse.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local disk as HBase's file system: durable on {@code hflush}, renaming on bulk load.
 *
 * <p>Raw, because Hadoop's checksummed local file system keeps up to some KiB of the write-ahead
 * log in the JVM after {@code hflush} has returned. With a canonical service name, because a region
 * server that finds none takes two files of one disk for files of two file systems, and copies each
 * HFile of a bulk load instead of renaming it.
 */
public final class RenamingLocalFileSystem extends RawLocalFileSystem {
  /** The same for every instance: there is one local disk. */
  static final String SERVICE_NAME = "localhost:file";

  @Override
  public String getCanonicalServiceName() {
    return SERVICE_NAME;
  }

  /** Without starting a {@code chmod}, which is what the raw file system does. */
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
