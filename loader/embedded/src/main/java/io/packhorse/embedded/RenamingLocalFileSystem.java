package io.packhorse.embedded;

import org.apache.hadoop.fs.RawLocalFileSystem;

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
}
