package io.packhorse.loader.uidstore.hbase;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import io.packhorse.loader.hbase.Bigtable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.BinaryComparator;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.ByteArrayComparable;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.Comparator;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Writes many empty cells of different rows in one atomic step, by HBase's
 * MultiRowMutationEndpoint: one write to the log for all of them, where compare-and-set needs one
 * for each row. The table must have that endpoint, and all rows must be in one region.
 *
 * <p>Any number of threads.
 */
final class EmptyRows {
  /** Earlier servers ignore the conditions and would overwrite cells (HBASE-25703). */
  private static final String SINCE = "2.5.0";

  /** The version that a server inside the master's process reports. */
  private static final String MASTER_VERSION = "0.0.0";

  /** Compares as equal with an absent cell. */
  private static final Comparator ABSENT =
      Comparator.newBuilder()
          .setName("org.apache.hadoop.hbase.filter.BinaryComparator")
          .setSerializedComparator(
              BinaryComparator.newBuilder()
                  .setComparable(ByteArrayComparable.newBuilder().setValue(ByteString.EMPTY))
                  .build()
                  .toByteString())
          .build();

  private final Connection connection;
  private volatile Support support = Support.UNKNOWN;

  /** Whether the cluster supports it. */
  private enum Support {
    UNKNOWN,
    YES,
    NO
  }

  /**
   * A cell to be written if it is empty.
   *
   * @param row not copied, and not to be changed; so are the other arrays
   */
  record EmptyCell(byte[] row, byte[] family, byte[] qualifier, byte[] value) {}

  EmptyRows(Connection connection) {
    this.connection = connection;
  }

  /**
   * Writes all cells or none.
   *
   * @param cells of distinct rows, at least one
   * @return whether they were written. If not, a cell is not empty (perhaps written by a first
   *     attempt of this call whose answer was lost), or the cluster does not support it
   */
  boolean fill(Table table, List<EmptyCell> cells) throws IOException {
    if (!isSupported()) {
      return false;
    }
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (EmptyCell cell : cells) {
      ByteString row = ByteString.copyFrom(cell.row());
      ByteString family = ByteString.copyFrom(cell.family());
      ByteString qualifier = ByteString.copyFrom(cell.qualifier());
      request.addCondition(
          Condition.newBuilder()
              .setRow(row)
              .setFamily(family)
              .setQualifier(qualifier)
              .setCompareType(CompareType.EQUAL)
              .setComparator(ABSENT));
      request.addMutationRequest(
          MutationProto.newBuilder()
              .setRow(row)
              .setMutateType(MutationType.PUT)
              .addColumnValue(
                  ColumnValue.newBuilder()
                      .setFamily(family)
                      .addQualifierValue(
                          ColumnValue.QualifierValue.newBuilder()
                              .setQualifier(qualifier)
                              .setValue(ByteString.copyFrom(cell.value())))));
    }
    try {
      return MultiRowMutationService.newBlockingStub(table.coprocessorService(cells.get(0).row()))
          .mutateRows(null, request.build())
          .getProcessed();
    } catch (ServiceException e) {
      if (!(e.getCause() instanceof IOException cause)) {
        throw new IOException(e);
      }
      if (!(cause instanceof DoNotRetryIOException)) {
        throw cause;
      }
      // The table has no such endpoint, or the rows are in two regions.
      support = Support.NO;
      return false;
    }
  }

  /** Synchronized, so that of many concurrent calls only the first asks the cluster. */
  private synchronized boolean isSupported() throws IOException {
    if (support == Support.UNKNOWN) {
      support = everyServerChecks() ? Support.YES : Support.NO;
    }
    return support == Support.YES;
  }

  private boolean everyServerChecks() throws IOException {
    if (Bigtable.is(connection)) {
      return false;
    }
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(
              EnumSet.of(ClusterMetrics.Option.HBASE_VERSION, ClusterMetrics.Option.LIVE_SERVERS));
      return checkConditions(
          Stream.concat(
              Stream.of(String.valueOf(cluster.getHBaseVersion())),
              cluster.getLiveServerMetrics().values().stream().map(ServerMetrics::getVersion)));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException noMasterAnswers) {
      return false;
    }
  }

  /**
   * Whether all servers check the conditions.
   *
   * @param versions of all servers and the master
   */
  static boolean checkConditions(Stream<String> versions) {
    return versions
        .filter(version -> !version.equals(MASTER_VERSION))
        .allMatch(version -> VersionInfo.compareVersion(version, SINCE) >= 0);
  }
}
