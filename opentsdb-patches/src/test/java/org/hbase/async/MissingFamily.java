package org.hbase.async;

/** Makes the error that HBase answers with, whose constructor asynchbase keeps to itself. */
public final class MissingFamily {
  private MissingFamily() {}

  /** As for a get of a family that the table does not have. */
  public static NoSuchColumnFamilyException error() {
    return new NoSuchColumnFamilyException("Column family p does not exist", null);
  }
}
