package io.packhorse.loader.hbase;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * A scan that begins again after the last row if a region had no server for too long, as {@link
 * PatientCall} does. One thread.
 */
public final class PatientScan implements Closeable {
  private final Table table;
  private final Scan scan;
  private @Nullable ResultScanner results;
  private @Nullable Result last;

  /**
   * Prepares the scan; HBase is asked when the first row is.
   *
   * @param table stays the caller's
   * @param scan not changed
   */
  public PatientScan(Table table, Scan scan) {
    this.table = table;
    this.scan = scan;
  }

  /** The next row; null at the end. */
  public @Nullable Result next() throws IOException {
    last = PatientCall.of(this::tryNext).orElse(null);
    return last;
  }

  private Optional<Result> tryNext() throws IOException {
    ResultScanner open = results;
    if (open == null) {
      // HBase's client changes the scan that it is given.
      Scan rest = new Scan(scan);
      open = table.getScanner(last == null ? rest : rest.withStartRow(last.getRow(), false));
      results = open;
    }
    try {
      return Optional.ofNullable(open.next());
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    ResultScanner open = results;
    results = null;
    if (open != null) {
      open.close();
    }
  }
}
